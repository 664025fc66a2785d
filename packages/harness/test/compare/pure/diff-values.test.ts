import { expect, it } from 'vitest'
import { diffValues } from '../../../src/compare/pure/diff-values.ts'

it.each([
  ['the same', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  ['nothing on both sides', undefined, undefined, []],
  ['a value as a whole', 'x', 3, [{ path: '', a: '"x"', b: '3' }]],
  ['a field', { tag: 'v1', n: 1 }, { tag: 'v2', n: 1 }, [{ path: 'tag', a: '"v1"', b: '"v2"' }]],
  [
    'a field that only one has',
    { a: 1 },
    { b: 2 },
    [
      { path: 'a', a: '1' },
      { path: 'b', b: '2' },
    ],
  ],
  [
    'an item of a list',
    [{ path: 'a' }],
    [{ path: 'b' }, 4],
    [
      { path: '[0].path', a: '"a"', b: '"b"' },
      { path: '[1]', b: '4' },
    ],
  ],
  ['null and absent', { a: null }, {}, [{ path: 'a', a: 'null' }]],
  ['another kind of value', { a: [1] }, { a: { 0: 1 } }, [{ path: 'a', a: '[1]', b: '{"0":1}' }]],
  ['a field with an odd name', { 'a b': 1 }, { 'a b': 2 }, [{ path: '["a b"]', a: '1', b: '2' }]],
])('names %s', (_, a, b, differences) => {
  expect(diffValues(a, b)).toEqual(differences)
})

it('masks secrets, and does not call two masked ones different', () => {
  const [one, two] = ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'ghp_zyxwvutsrqponmlkjihgfedcba9876543210']
  expect(JSON.stringify(diffValues({ text: `use ${one}` }, { text: `use ${two} now` }))).not.toContain('ghp_')
})

it('cuts long texts around the place where they differ', () => {
  const [same, long] = ['s'.repeat(5000), 'x'.repeat(5000)]
  const [found] = diffValues(`${same}A${long}`, `${same}B${long}`)
  expect(found?.a).toMatch(/^…s+Ax+…$/)
  expect(found?.b).toMatch(/^…s+Bx+…$/)
  expect(found?.a?.length).toBeLessThan(300)
})

const many = (n: number) => Array.from({ length: 250 }, (_, i) => i + n)

it('names at most a hundred places, and how many more there are', () => {
  const found = diffValues(many(0), many(1))
  expect(found.length).toBe(101)
  expect(found.at(-1)).toEqual({ path: '… and 150 more' })
})
