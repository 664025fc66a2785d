import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callSignature } from '../../../src/loop/pure/call-signature.ts'
import { canonicalArgs } from '../../../src/loop/pure/canonical-args.ts'

describe('canonicalArgs', () => {
  it.each([
    ['', ''],
    ['  \n', ''],
    ['{}', '{}'],
    [' { "b" : 1, "a" : { "d": [1, 2], "c": null } } ', '{"a":{"c":null,"d":[1,2]},"b":1}'],
    ['{"n": 1.0}', '{"n":1}'],
    ['{"n": 15e-1}', '{"n":15e-1}'],
    ['{"n": 1.50}', '{"n":15e-1}'],
    ['{"n": -0.0}', '{"n":0}'],
    ['5e2', '500'],
    ['12345678901234567890', '12345678901234567890'],
    ['"n1"', '"n1"'],
    ['{"__proto__": 1, "a": 2}', '{"__proto__":1,"a":2}'],
    [' path=a ', 'path=a'],
    ['{"a":1', '{"a":1'],
  ])('%j is %j', (text, expected) => {
    expect(canonicalArgs(text)).toBe(expected)
  })

  it('keeps two large ids apart that are one double', () => {
    expect(canonicalArgs('{"id":12345678901234567890}')).not.toBe(canonicalArgs('{"id":12345678901234567891}'))
  })

  it('takes text of any depth', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    expect(canonicalArgs(deep)).toBe(deep)
  })

  it('means the same as the text it came from, and is its own canonical form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const canonical = canonicalArgs(JSON.stringify(value, null, indent))
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalArgs(canonical)).toBe(canonical)
      }),
    )
  })

  it('is the same whatever the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const reversed = Object.fromEntries(Object.entries(fields).toReversed())
        expect(canonicalArgs(JSON.stringify(reversed))).toBe(canonicalArgs(JSON.stringify(fields)))
      }),
    )
  })
})

describe('callSignature', () => {
  it('trims the name, and never mixes name and arguments', () => {
    expect(callSignature(' read ', '{"a":1}')).toBe(callSignature('read', '{ "a": 1 }'))
    expect(callSignature('a', 'b')).not.toBe(callSignature('ab', ''))
    expect(callSignature('read', '')).not.toBe(callSignature('read', '{}'))
  })
})
