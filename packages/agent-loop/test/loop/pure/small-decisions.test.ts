import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultRetryPolicy, retryDelay } from '../../../src/loop/pure/retry-delay.ts'
import { freshWatch, watchLoop } from '../../../src/loop/pure/watch-loop.ts'
import { scopeTools } from '../../../src/loop/pure/scope-tools.ts'
import { cutText } from '../../../src/loop/pure/cut-text.ts'
import { emptyPurse, nothing, oneCall, reserve, settle } from '../../../src/loop/pure/reserve.ts'

describe('retryDelay', () => {
  it.each([
    [0, 0],
    [1, 0],
    [2, 250],
    [3, 500],
    [6, 4000],
    [7, 4000],
    [5000, 4000],
  ])('before attempt %i: %i ms', (n, ms) => {
    expect(retryDelay(n, defaultRetryPolicy)).toBe(ms)
  })

  it('is off without a base, uncapped without a cap, and no shorter than it was asked for', () => {
    expect(retryDelay(4, { ...defaultRetryPolicy, baseMs: 0 })).toBe(0)
    expect(retryDelay(10, { ...defaultRetryPolicy, capMs: 0 })).toBe(64_000)
    expect(retryDelay(2, defaultRetryPolicy, 3000)).toBe(3000)
    expect(Number.isFinite(retryDelay(1e6, { ...defaultRetryPolicy, capMs: 0 }))).toBe(true)
  })
})

describe('watchLoop', () => {
  it('trips at the third time running, and at every time after it', () => {
    expect(trips(same(4))).toEqual([undefined, undefined, { rule: 'run', times: 3 }, { rule: 'run', times: 4 }])
  })

  it('trips at the fifth time in all, before it looks at the run', () => {
    const turns = Array.from({ length: 9 }, (_, i) => [i % 2 === 0 ? 'a' : 'b', '1'] as const)
    expect(trips(turns)).toEqual([...Array.from({ length: 8 }, () => undefined), { rule: 'total', times: 5 }])
    expect(trips(same(5)).at(-1)).toEqual({ rule: 'total', times: 5 })
  })

  it('takes a threshold that is not above zero for the default', () => {
    expect(trips(same(3), { run: 0, total: -1, polls: 0 }).at(-1)).toEqual({ rule: 'run', times: 3 })
  })

  it('never trips while results differ', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b'), { maxLength: 60 }), (signatures) => {
        const all = trips(signatures.map((signature, i) => [signature, String(i)] as const))
        expect(all.every((trip) => trip === undefined)).toBe(true)
      }),
    )
  })
})

describe('scopeTools', () => {
  const tools = ['read', 'write', 'read'].map((name) => ({ name }))
  it.each([
    [undefined, ['read', 'write', 'read']],
    [[], []],
    [[' ', ''], []],
    [
      [' read ', 'nope'],
      ['read', 'read'],
    ],
  ])('%j leaves %j', (scope, names) => {
    expect(scopeTools(tools, scope).map(({ name }) => name)).toEqual(names)
  })
})

describe('cutText', () => {
  it('cuts whole characters and says so', () => {
    expect(cutText('💡💡💡', 2)).toBe('💡💡\n[cut: 2 of 3 characters shown]')
    expect(cutText('💡💡', 2)).toBe('💡💡')
    expect(cutText('abc', 0)).toBe('abc')
  })

  it('leaves well-formed text well-formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, limit) => {
        expect(cutText(text, limit).isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('reserve', () => {
  it('never lets what is spent and set aside pass a limit, while calls take no more than was set aside', () => {
    const amount = fc.record({ tokens: fc.nat(50), toolCalls: fc.nat(3), costMicros: fc.nat(900) })
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        const limits = { tokens: 100, toolCalls: 5, costMicros: 2000 }
        let purse = emptyPurse
        for (const wanted of amounts) {
          const next = reserve(purse, wanted, limits)
          if (typeof next !== 'string') purse = settle(next, wanted, wanted)
        }
        expect(purse.spent.tokens).toBeLessThanOrEqual(100)
        expect(purse.spent.toolCalls).toBeLessThanOrEqual(5)
        expect(purse.spent.costMicros).toBeLessThanOrEqual(2000)
        expect(purse.reserved).toEqual(nothing)
      }),
    )
  })

  it('counts what is set aside, so that calls side by side cannot share one place', () => {
    const first = reserve(emptyPurse, oneCall, { toolCalls: 1 })
    expect(typeof first === 'string' ? first : reserve(first, oneCall, { toolCalls: 1 })).toBe('toolCalls')
  })
})

function trips(
  calls: readonly (readonly [signature: string, result: string])[],
  limits?: Parameters<typeof watchLoop>[2],
) {
  let watch = freshWatch
  return calls.map(([signature, result]) => {
    const seen = watchLoop(watch, { signature, result, polling: false }, limits)
    watch = seen.watch
    return seen.trip
  })
}
function same(n: number) {
  return Array.from({ length: n }, () => ['a', '1'] as const)
}
