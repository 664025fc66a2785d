import { describe, expect, it } from 'vitest'
import { isWorthReplanning, planState } from '../src/pure/plan-state.ts'
import { freshLedger, type LedgerEvent, noted, stallOf } from '../src/pure/progress-ledger.ts'

const limits = { observations: 5, quietMs: 1000, sameErrors: 3, failures: 3 }
const after = (events: readonly LedgerEvent[], began = 0) => events.reduce(noted, freshLedger(began))
const times = <T>(n: number, event: T): readonly T[] => Array.from({ length: n }, () => event)

const observed = { is: 'observed', at: 1, error: undefined } as const
const failed = (message: string) => ({ is: 'failed', at: 1, message }) as const
const error = (message: string) => ({ is: 'observed', at: 1, error: message }) as const

describe('a plan is stalled', () => {
  it.each([
    ['results without an end', times(5, observed), '5 results and errors, and no step ended well'],
    ['one error, again and again', times(3, error('port 4711 is taken')), 'the same error came 3 times'],
    [
      'one error with other figures',
      [error('port 1 is taken'), failed('Port 22 is  taken'), error('port 3 is taken')],
      'the same error came 3 times',
    ],
    ['one failure after the other', ['a', 'b', 'c'].map(failed), 'steps failed 3 times'],
    ['errors named like properties', times(3, error('constructor')), 'the same error came 3 times'],
  ] as const)('after %s', (_, events, why) => {
    expect(stallOf(after(events), 1, limits)).toContain(why)
    expect(stallOf(after(events.slice(1)), 1, limits)).toBeUndefined()
    expect(stallOf(after([...events, { is: 'done', at: 2 }]), 2, limits)).toBeUndefined()
  })

  it('after a time in which nothing happened, counted from when somebody began to watch', () => {
    expect(stallOf(after([{ is: 'other', at: 100 }], 0), 1100, limits)).toContain('nothing happened')
    expect(stallOf(after([{ is: 'other', at: 100 }], 0), 1099, limits)).toBeUndefined()
    expect(stallOf(after([{ is: 'other', at: 100 }], 5000), 5999, limits)).toBeUndefined()
  })
})

const step = (payload: object, remaining = 0) =>
  ({ remaining, payload: { status: 'pending', ...payload } }) as Parameters<typeof planState>[1][number]
const asks = step({ status: 'blocked', waitsFor: { for: 'answer', question: { id: 'q', text: '?' } } })
const awaits = step({ status: 'blocked', waitsFor: { for: 'plan', planId: 'child' } })

describe('a plan', () => {
  const running = { status: 'running', paused: false } as const
  it.each([
    ['over', { status: 'done', paused: false }, [asks], 'over'],
    ['at work while a step runs', running, [asks, step({ status: 'running' })], 'at work'],
    ['at work while a step could', running, [asks, step({ status: 'ready' })], 'at work'],
    ['at work while a step is about to', running, [asks, step({})], 'at work'],
    ['at work while another try is due', running, [asks, step({ status: 'failed', retryAt: 9 })], 'at work'],
    [
      'at work while it waits for a time',
      running,
      [step({ status: 'blocked', waitsFor: { for: 'time', until: 9 } })],
      'at work',
    ],
    ['at work with a plan of its own', running, [awaits], 'at work'],
    [
      'waiting for an answer',
      running,
      [asks, step({}, 1), step({ status: 'done' }), step({ status: 'failed' })],
      'waiting',
    ],
    ['waiting while it is paused', { status: 'running', paused: true }, [step({ status: 'ready' })], 'waiting'],
    ['about to end', running, [step({ status: 'done' })], 'at work'],
  ] as const)('is %s', (_, plan, steps, state) => {
    expect(planState(plan, steps)).toBe(state)
  })

  it('waits where the plan it waits for does', () => {
    expect(planState(running, [awaits], new Map([['child', 'waiting']]))).toBe('waiting')
  })
})

describe('planning anew', () => {
  it.each([
    [[], true],
    [[{ cause: 'step', message: 'm' }], true],
    [[{ cause: 'refused', message: 'm' }], false],
    [[{ cause: 'step', message: 'm', code: 'hard_error' }], false],
    [
      [
        { cause: 'step', message: 'm', code: 'AGENT_UNAVAILABLE' },
        { cause: 'step', message: 'm', code: 'loop_detected' },
      ],
      true,
    ],
  ] as const)('after %j: %s', (failures, worth) => {
    expect(isWorthReplanning(failures)).toBe(worth)
  })
})
