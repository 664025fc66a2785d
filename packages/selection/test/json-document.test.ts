import { formatJson, JsonSyntaxError, jsonValue, parseJson, plainJson } from '../src/pure/json-document.ts'
import { describe, expect, it } from 'vitest'

describe('a JSON document', () => {
  it.each([
    ['the order of keys', '{\n  "b": 1,\n  "a": 2\n}\n'],
    ['keys that look like numbers', '{\n  "b": 1,\n  "2": 2,\n  "1": 3\n}\n'],
    ['__proto__', '{\n  "__proto__": {\n    "a": 1\n  }\n}\n'],
    ['1.0 and big integers', '[\n  1.0,\n  123456789012345678901234567890,\n  1e+300,\n  -0.0\n]\n'],
    ['NaN and the infinities', '[\n  NaN,\n  Infinity,\n  -Infinity\n]\n'],
    ['empty lists and objects', '{\n  "a": [],\n  "b": {}\n}\n'],
    ['words', '[\n  true,\n  false,\n  null\n]\n'],
    [
      'escapes as Python writes them',
      '"\\"\\\\\\n\\r\\t\\b\\f/\\u0000\\u001f\\u007f\\u00e9\\u2028\\ud83d\\ude00\\ud800"\n',
    ],
    ['nesting', '{\n  "a": [\n    {\n      "b": []\n    },\n    "c"\n  ]\n}\n'],
  ])('keeps %s, byte for byte', (_, text) => {
    expect(formatJson(parseJson(text))).toBe(text)
  })

  it('escapes what is not printable ASCII, also where it came unescaped', () => {
    expect(formatJson(parseJson('{"Über":"\u007f😀/"}'))).toBe('{\n  "\\u00dcber": "\\u007f\\ud83d\\ude00/"\n}\n')
  })

  it('takes the last of two values of one key, at the place of the first', () => {
    expect(formatJson(parseJson('{"a":1,"b":2,"a":3}'))).toBe('{\n  "a": 3,\n  "b": 2\n}\n')
  })

  it('answers ordinary values, and takes them', () => {
    const value = { a: [1, 'x', null, true], __b: { c: 1.5 } }
    expect(plainJson(jsonValue(value))).toEqual(value)
    expect(plainJson(parseJson('{"__proto__": 1}'))).toHaveProperty(['__proto__'], 1)
    expect(() => jsonValue(undefined)).toThrow(TypeError)
  })

  it.each([
    ['', 1, 1],
    ['\uFEFF{}', 1, 1],
    ['{', 1, 2],
    ['{"a" 1}', 1, 6],
    ['{"a": 1,}', 1, 9],
    ['[1,]', 1, 4],
    ['[1 2]', 1, 4],
    ['{a: 1}', 1, 2],
    ['{\n  "a": tru\n}', 2, 8],
    ['"a\nb"', 1, 3],
    ['"\\x"', 1, 2],
    ['"\\u12g4"', 1, 2],
    ['\n "open', 2, 2],
    ['01', 1, 2],
    ['1 2', 1, 3],
    ['+1', 1, 1],
    ['nul', 1, 1],
    ['{} x', 1, 4],
  ])('refuses %j at its place', (text, line, column) => {
    const error = caught(() => parseJson(text))
    expect(error).toBeInstanceOf(JsonSyntaxError)
    expect(error).toMatchObject({ line, column })
  })

  it('refuses what is nested too deeply, and does not run out of stack', () => {
    expect(caught(() => parseJson('['.repeat(100_000)))).toBeInstanceOf(JsonSyntaxError)
  })
})

function caught(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
