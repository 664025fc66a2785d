import { describe, expect, it } from 'vitest'
import { stepRefusal, stepStatuses, stepTransitionAllowed } from '../../src/pure/step-transitions.ts'

const legal = [
  'pending ready',
  'ready running',
  'running blocked',
  'running done',
  'running failed',
  'blocked ready',
  'failed ready',
]

describe('the step table', () => {
  it('allows the seven edges and staying put, and nothing else', () => {
    for (const from of stepStatuses)
      for (const to of stepStatuses)
        expect(stepTransitionAllowed(from, to), `${from} → ${to}`).toBe(from === to || legal.includes(`${from} ${to}`))
  })

  it('knows no status it was not told, in whatever case', () => {
    expect(stepTransitionAllowed('ready', 'Running')).toBe(false)
    expect(stepTransitionAllowed('', 'ready')).toBe(true)
    expect(stepTransitionAllowed('lost', 'ready')).toBe(false)
  })
})

const stepIn = (status: string, attempt = 0, session?: string) => ({ status, attempt, idempotencyKey: 'k', session })

const carriedFrom = { planId: 'p', stepId: 's' }

describe('the step guard', () => {
  it.each([
    ['a new step that is ready', undefined, stepIn('ready'), 'a new step must start in status pending'],
    ['a new step at attempt 1', undefined, stepIn('pending', 1), 'a new step starts at attempt 0'],
    ['a way that is none', stepIn('done'), stepIn('running'), 'invalid transition from done to running'],
    ['a retry at the same attempt', stepIn('failed', 1), stepIn('ready', 1), 'retry must increment attempt'],
    ['an attempt that rises by itself', stepIn('ready'), stepIn('running', 1), 'attempt changes on a retry only'],
    [
      'a second claim over a running step',
      stepIn('running', 0, 'a'),
      stepIn('running', 0, 'b'),
      'a running step keeps the session that claimed it',
    ],
    [
      'another idempotency key',
      stepIn('pending'),
      { ...stepIn('ready'), idempotencyKey: 'other' },
      'its idempotencyKey is fixed once it is written',
    ],
    [
      'a new step that is done without a step that did its work',
      undefined,
      stepIn('done'),
      'a new step must start in status pending',
    ],
    [
      'a carried step that would still run',
      undefined,
      { ...stepIn('pending'), carriedFrom },
      'a new step must start in status done, because its work was carried over',
    ],
    [
      'a step that says later where its work was done',
      stepIn('done'),
      { ...stepIn('done'), carriedFrom },
      'where its work was done is fixed once it is written',
    ],
  ])('refuses %s', (_, prior, next, reason) => {
    expect(stepRefusal(prior, next)).toBe(reason)
  })

  it('lets a step begin as done that another plan had done', () => {
    expect(stepRefusal(undefined, { ...stepIn('done'), carriedFrom })).toBeUndefined()
  })

  it('lets a retry through that raises the attempt', () => {
    expect(stepRefusal(stepIn('failed', 1), stepIn('ready', 2))).toBeUndefined()
  })
})
