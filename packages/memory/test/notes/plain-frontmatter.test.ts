import fc from 'fast-check'
import { expect, test } from 'vitest'
import { yamlFields } from '../../src/notes/pure/frontmatter.ts'
import { plainFields } from '../../src/notes/pure/plain-frontmatter.ts'

const words = ['a', 'word', 'ünï', '2026-01-02', '10:30', '007', '1e3', '.5', '0x1F', '+1', '.inf', '/', '_', '.', '..']
const truths = ['true', 'True', 'FALSE', 'no', 'null', 'Null', '~', '<<', '---', '...', 'x y', 'it is', "it's", '日本']
const marks = [
  "'",
  '"',
  "''",
  '\\',
  '\\n',
  '[',
  ']',
  ', ',
  ',',
  '{',
  '}',
  '-',
  '+',
  ' ',
  '  ',
  ': ',
  ':',
  ' #',
  '#',
  '- ',
]
const odd = [
  '&a',
  '*a',
  '!',
  '!!str ',
  '|',
  '>',
  '%',
  '@',
  '`',
  '=',
  '?',
  '? ',
  '\t',
  '\u00A0',
  '\u2028',
  '\u0085',
  '\uFEFF',
]
const fragments = fc.constantFrom(...words, ...truths, ...marks, ...odd, '\u{1F4DD}')
const value = fc.oneof(
  fc.array(fragments, { maxLength: 5 }).map((parts) => parts.join('')),
  fc.array(fragments, { maxLength: 3 }).map((parts) => `[${parts.join(', ')}]`),
  fc.array(fragments, { maxLength: 3 }).map((parts) => `'${parts.join('')}'`),
  fc.array(fragments, { maxLength: 3 }).map((parts) => `"${parts.join('')}"`),
)
const name = fc.constantFrom(
  'kind',
  'tags',
  'x-y',
  '_a',
  'true',
  'null',
  'y',
  '__proto__',
  'a1',
  '1a',
  'a.b',
  '',
  ' kind',
)
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(name, fc.constantFrom(': ', ':  ', ':', ':\t'), value).map((parts) => parts.join('')),
  },
  fc.constantFrom('', ' ', '# note', '- a', '  - a', '  more', 'word', '...'),
)
const block = fc
  .tuple(fc.array(line, { maxLength: 4 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', '\r\n'))
  .map(([lines, eol, end]) => lines.join(eol) + end)

test('says of a plain block what the YAML parser says, and nothing of any other', () => {
  let plain = 0
  fc.assert(
    fc.property(block, (yaml) => {
      const fields = plainFields(yaml)
      if (fields === undefined) return
      plain += 1
      expect({ fields: [...fields], problem: undefined }).toEqual({
        ...yamlFields(yaml),
        fields: [...yamlFields(yaml).fields],
      })
    }),
    { numRuns: 5000 },
  )
  expect(plain).toBeGreaterThan(300)
})

test('reads what this package and its older relatives write', () => {
  const yaml = [
    'kind: fix',
    'status: active',
    'created: 2026-01-02T10:11:12Z',
    'tags: [a, b]',
    'group: projects/acme',
    'always_load: false',
    'confidence: 0.9',
    "title: 'It''s: fixed'",
    'supersedes:',
    '',
  ].join('\n')
  expect(Object.fromEntries(plainFields(yaml) ?? [])).toEqual({
    kind: 'fix',
    status: 'active',
    created: '2026-01-02T10:11:12Z',
    tags: ['a', 'b'],
    group: 'projects/acme',
    always_load: false,
    confidence: '0.9',
    title: "It's: fixed",
    supersedes: null,
  })
})
