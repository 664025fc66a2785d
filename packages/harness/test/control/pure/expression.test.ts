import { describe, expect, it } from 'vitest'
import { evaluate, said, truthOf } from '../../../src/control/pure/evaluate.ts'
import { parseExpression, referencesIn } from '../../../src/control/pure/expression.ts'

const scope = {
  steps: {
    build: { output: { version: '1.4', sizes: [3, 5], 'odd name': 'o' }, skipped: false },
    'a-b': { output: '{}' },
  },
  inputs: { tag: 'v2', dry: true },
  item: null,
}

const valueOf = (text: string): unknown => evaluate(parseExpression(text), scope)

describe('reads and compares', () => {
  it.each([
    ['steps.build.output.version', '1.4'],
    ['steps.build.output.sizes[1]', 5],
    ['steps.build.output.sizes.length', 2],
    ['steps["build"].output["odd name"]', 'o'],
    ['steps.a-b.output', '{}'],
    ['steps.build.output.nothing.at.all', null],
    ['steps.build.output.sizes[7]', null],
    ['inputs.constructor', null],
    ['inputs.tag.__proto__', null],
    ['item == null', true],
    ['inputs.tag == "v2"', true],
    ["inputs.tag == 'v3'", false],
    ['steps.build.output.sizes[0] < 4 and not steps.build.skipped', true],
    ['steps.build.output.sizes[0] >= 4 or inputs.dry', true],
    ['not (inputs.dry and inputs.tag != "v2")', true],
    ['-1.5 < 0', true],
    ['"a" < "b"', true],
    ['steps.build.output.sizes == inputs.sizes', false],
    ['"\\u0041" == "A"', true],
    ['3 <= 3', true],
    ['3 > 3', false],
    // `and` binds more tightly than `or`.
    ['true or false and false', true],
    ['false', false],
  ])('%s', (text, value) => expect(valueOf(text)).toEqual(value))

  it('does not read the right side when the left side decides', () => {
    expect(valueOf('item == null or item.size > 3')).toBe(true)
    expect(valueOf('item != null and item.size > 3')).toBe(false)
  })
})

describe('refuses to guess', () => {
  it.each([
    ['inputs.tag and true', /^inputs\.tag is a text, and a condition is true or false\. Compare it/],
    ['not item', /^item is absent, and a condition/],
    ['inputs.tag < 3', /^< compares two numbers or two texts, and got a text and a number\. Check with != null/],
    ['item.size > 3', /got absent and a number/],
  ])('%s', (text, message) => expect(() => valueOf(text)).toThrow(message))

  it('a text as a whole condition', () =>
    expect(() => truthOf(parseExpression('inputs.tag'), scope)).toThrow('inputs.tag is a text'))
})

describe('names the place of what cannot be read:', () => {
  it.each([
    ['a = b', 'character 3, =: write == to compare'],
    ['a && b', 'character 3, &: write and'],
    ['!a', 'character 1, !: write not, or != to compare'],
    ['${{ a }}', 'character 1, $: a condition stands without ${{ }}'],
    ['a == "b', 'character 6, ": this text has no closing quote'],
    ['a ==', 'character 5: expected a value, such as steps.build.output, "text", 3 or true, and found the end'],
    ['(a == 1', 'character 8: expected ), and found the end'],
    ['a == 1 == 2', 'character 8: expected a comparison, and, or, or the end, and found =='],
    ['a.', 'character 3: expected the name of a field, and found the end'],
    ['a[-1]', 'character 3: expected a number from 0 on, or a field in quotes, and found -1'],
    ['a[0', 'character 4: expected ], and found the end'],
    ['and', 'character 1: expected a value, such as steps.build.output, "text", 3 or true, and found and'],
    ['process.exit()', 'character 13: expected a comparison, and, or, or the end, and found ('],
    ['"\\q"', 'character 1: "\\q" has an escape that JSON does not know. Single quotes take text as it is'],
  ])('%s', (text, message) => expect(() => parseExpression(text)).toThrow(new SyntaxError(message)))
})

it('knows every reference, and says an expression in the words of the file', () => {
  const expression = parseExpression('not steps["a b"].skipped and (item.n[0] > 3 or "x" == inputs.tag)')
  expect(referencesIn(expression)).toEqual([
    ['steps', 'a b', 'skipped'],
    ['item', 'n', 0],
    ['inputs', 'tag'],
  ])
  expect(said(expression)).toBe('(not steps["a b"].skipped and ((item.n[0] > 3) or ("x" == inputs.tag)))')
  expect(parseExpression(said(expression))).toEqual(expression)
})
