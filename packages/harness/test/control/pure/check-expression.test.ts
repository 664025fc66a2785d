import { describe, expect, it } from 'vitest'
import { checkExpression } from '../../../src/control/pure/check-expression.ts'
import { evaluate } from '../../../src/control/pure/evaluate.ts'
import { parseExpression } from '../../../src/control/pure/expression.ts'
import {
  anything,
  either,
  absent,
  spokenType,
  typeOfSchema,
  typeOfValue,
} from '../../../src/control/pure/value-type.ts'

const scope = {
  inputs: { tag: 'v2', sizes: [3, 5], note: null, json: '{"a":1}' },
  item: null,
}

describe('functions', () => {
  it.each([
    ['contains(inputs.tag, "2")', true],
    ['contains(inputs.sizes, 5)', true],
    ['contains(inputs.sizes, "5")', false],
    ['startsWith(inputs.tag, "v") and endsWith(inputs.tag, "2")', true],
    ['join(inputs.sizes, "+")', '3+5'],
    ['default(inputs.note, inputs.tag)', 'v2'],
    ['default(inputs.tag, "none")', 'v2'],
    ['fromJson(inputs.json)', { a: 1 }],
  ])('%s', (text, value) => expect(evaluate(parseExpression(text), scope)).toEqual(value))

  it.each([
    [
      'shout(1)',
      'character 1: there is no function shout. There are: contains, startsWith, endsWith, join, default, fromJson',
    ],
    ['join(inputs.sizes)', 'character 1: join(LIST, SEPARATOR) takes 2 values, not 1'],
    ['fromJson(1 2)', 'character 12: expected , or ), and found 2'],
    [
      'toString()',
      'character 1: there is no function toString. There are: contains, startsWith, endsWith, join, default, fromJson',
    ],
  ])('%s cannot be read', (text, message) => expect(() => parseExpression(text)).toThrow(new SyntaxError(message)))

  it('refuse a value of another type when they run', () =>
    expect(() => evaluate(parseExpression('startsWith(inputs.note, "v")'), scope)).toThrow(
      'startsWith(TEXT, START): value 1 is absent, and startsWith takes a text',
    ))
})

const schema = {
  type: 'object',
  properties: {
    version: { type: 'string' },
    level: { enum: ['low', 'high', 3] },
    maybe: { type: ['object', 'null'], properties: { x: { type: 'number' } } },
    many: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    open: { type: 'object' },
    map: { type: 'object', additionalProperties: { type: 'number' } },
  },
  required: ['version', 'level', 'many', 'open', 'map'],
}
const types = { output: typeOfSchema(schema), raw: anything, none: absent, flag: { is: 'truth' } } as const
const checked = (text: string) => checkExpression(parseExpression(text), types)

describe('the type of an expression', () => {
  it.each([
    ['output.version', 'a text'],
    ['output.level', 'one of "low", "high" or a number'],
    ['output.maybe.x', 'a number or absent'],
    ['output.many[0].name', 'a text or absent'],
    ['output.many.length', 'a number'],
    ['output.open.anything.at.all', 'anything'],
    ['output.map.key', 'a number or absent'],
    ['default(output.map.key, "none")', 'the text "none" or a number'],
    ['raw.what.ever', 'anything'],
    ['none.what', 'absent'],
    ['raw == 1', 'true or false'],
  ])('%s', (text, type) => {
    const { problems, ...given } = checked(text)
    expect([spokenType(given.type), problems]).toEqual([type, []])
  })

  it.each([
    ['output.versoin', /^output has no field versoin\. It has: version, level, maybe, many, open, map$/],
    ['output.many.name', /^output\.many is a list \(of an object\) and has no field name$/],
    ['output.maybe.y', /^output\.maybe has no field y\. It has: x$/],
    ['output.level == "medium"', /^output\.level == "medium" is always false, because output\.level is one of/],
    ['output.version != 3', /^output\.version != 3 is always true/],
    ['flag and output.version', /^output\.version is a text, and a condition is true or false/],
    ['output.many > 3', /^> compares two numbers or two texts/],
    ['join(output.version, ",")', /value 1 is a text, and join takes a list$/],
  ])('%s is certainly wrong', (text, problem) =>
    expect(checked(text).problems).toEqual([expect.stringMatching(problem)]),
  )

  it.each([
    'output.level == 3',
    'output.maybe == null',
    'raw > 1 and raw',
    'output.map.x > 3',
    'output.open == output',
  ])('%s may be right', (text) => expect(checked(text).problems).toEqual([]))
})

it('keeps a choice of types small', () => {
  expect(either(typeOfValue('a'), typeOfValue('b'), typeOfValue(1), typeOfValue(2))).toEqual({
    is: 'either',
    of: [{ is: 'text', oneOf: ['a', 'b'] }, { is: 'number' }],
  })
  expect(either()).toEqual(anything)
})
