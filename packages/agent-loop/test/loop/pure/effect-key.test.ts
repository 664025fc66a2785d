import fc from 'fast-check'
import { expect, it } from 'vitest'
import { effectKey } from '../../../src/loop/pure/effect-key.ts'

const identity = { plan: 'p', step: 's', tool: 'charge', args: '{"cents":500}', ordinal: 1 }

it('is 32 hex digits, and stays what it is', () => {
  expect(effectKey(identity)).toMatch(/^[0-9a-f]{32}$/)
  expect(effectKey(identity)).toBe(effectKey({ ...identity, tool: ' charge ', args: '{ "cents": 5e2 }' }))
})

it('differs with each of its parts', () => {
  const others = [{ plan: 'q' }, { step: 't' }, { tool: 'refund' }, { args: '{"cents":501}' }, { ordinal: 2 }]
  const keys = [identity, ...others.map((part) => ({ ...identity, ...part }))].map(effectKey)
  expect(new Set(keys).size).toBe(6)
})

it('lets no part run into its neighbour', () => {
  const word = fc.string({ minLength: 1 }).filter((text) => text.trim() === text)
  fc.assert(
    fc.property(word, word, word, word, (a, b, c, d) => {
      fc.pre(a !== c || b !== d)
      const keys = [effectKey({ ...identity, plan: a, step: b }), effectKey({ ...identity, plan: c, step: d })]
      expect(new Set(keys).size).toBe(2)
    }),
  )
})
