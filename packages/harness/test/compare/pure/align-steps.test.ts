import { expect, it } from 'vitest'
import { alignSteps } from '../../../src/compare/pure/align-steps.ts'
import { relationOf } from '../../../src/compare/pure/relation-of.ts'

const step = (key: string, title = key, kind = 'command', id = `v1:harness:step:id-of-${key}`) => ({
  id,
  key,
  title,
  kind,
})

function aligned(a: ReturnType<typeof step>[], b: ReturnType<typeof step>[], areRelated = true) {
  return alignSteps(a, b, { areRelated }).map((pair) =>
    `${pair.a?.key ?? '-'} ${pair.b?.key ?? '-'} ${pair.by ?? ''}`.trim(),
  )
}

it.each([
  ['by key', [step('a'), step('b')], [step('b'), step('a')], ['a a key', 'b b key']],
  ['by a title that only one step has', [step('a', 'Build')], [step('x', 'Build')], ['a x title']],
  ['by place, where the kind is the same', [step('a'), step('b')], [step('x'), step('b')], ['a x place', 'b b key']],
  ['not by place where the kind differs', [step('a')], [step('x', 'X', 'http')], ['- x', 'a -']],
  [
    'with what only the second has behind the step before it',
    [step('a'), step('c')],
    [step('a'), step('b'), step('c')],
    ['a a key', '- b', 'c c key'],
  ],
  [
    'with the rest of a plan, whose keys are the ids of its steps',
    [step('a'), step('b')],
    [step('id-of-b', 'b')],
    ['a -', 'b id-of-b key'],
  ],
])('matches steps %s', (_, a, b, pairs) => {
  expect(aligned(a, b)).toEqual(pairs)
})

it('does not match by place in plans that are not related', () => {
  expect(aligned([step('a')], [step('x')], false)).toEqual(['- x', 'a -'])
})

const line = (id: string, ...before: readonly (readonly [string, 'fork' | 'follows'])[]) => ({
  id,
  before: before.map(([of, by]) => ({ id: of, by })),
})

it.each([
  ['same', line('a'), line('a')],
  ['fork', line('a'), line('b', ['a', 'fork'])],
  ['fork', line('c', ['b', 'fork'], ['a', 'fork']), line('a')],
  ['follows', line('a'), line('c', ['b', 'fork'], ['a', 'follows'])],
  ['siblings', line('b', ['a', 'fork']), line('c', ['a', 'follows'])],
  ['schedule', { ...line('a'), scheduleId: 's' }, { ...line('b'), scheduleId: 's' }],
  ['unrelated', line('a'), { ...line('b'), scheduleId: 's' }],
] as const)('calls two plans %s', (relation, a, b) => {
  expect(relationOf(a, b)).toBe(relation)
})
