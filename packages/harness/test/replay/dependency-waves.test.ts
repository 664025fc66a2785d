import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dependencyWaves } from '../../src/replay/pure/dependency-waves.ts'

const waves = (graph: Readonly<Record<string, readonly string[]>>) =>
  Object.fromEntries(dependencyWaves(Object.entries(graph).map(([id, dependsOn]) => ({ id, dependsOn }))))

it.each([
  [{}, {}],
  [{ a: [] }, { a: 0 }],
  [
    { a: [], b: ['a'], c: ['a', 'b'], d: [] },
    { a: 0, b: 1, c: 2, d: 0 },
  ],
  // Unknown dependencies count for nothing.
  [
    { a: ['gone'], b: ['a', 'gone'] },
    { a: 0, b: 1 },
  ],
  // A circle stands in one wave, behind what leads to it, with what hangs on it.
  [
    { a: [], b: ['a', 'c'], c: ['b'], d: ['c'] },
    { a: 0, b: 1, c: 1, d: 1 },
  ],
  [{ a: ['a'] }, { a: 0 }],
])('%j: %j', (graph, expected) => {
  expect(waves(graph)).toEqual(expected)
})

it('puts every step behind all it depends on', () => {
  const graph = fc
    .array(fc.array(fc.nat(30), { maxLength: 4 }), { maxLength: 30 })
    .map((edges) => edges.map((to, i) => ({ id: `${i}`, dependsOn: to.filter((j) => j < i).map(String) })))
  fc.assert(
    fc.property(graph, (steps) => {
      const wave = dependencyWaves(steps)
      for (const { id, dependsOn } of steps)
        expect(dependsOn.every((to) => (wave.get(to) ?? 0) < (wave.get(id) ?? 0))).toBe(true)
    }),
  )
})
