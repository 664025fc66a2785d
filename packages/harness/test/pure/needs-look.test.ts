import { expect, it } from 'vitest'
import { needsLook } from '../../src/pure/needs-look.ts'
import type { PlanView } from '../../src/pure/plan-view.ts'
import { now, planOf, stepOf, viewOf } from './plan-views.ts'

const asleep = stepOf('a', { status: 'blocked', waitsFor: { for: 'time', until: now + 1 } })
const sleepingFunction = stepOf('a', { status: 'blocked', waitsFor: { for: 'function', heard: 2, until: now + 1 } })
const question = { id: 'q', text: 'yes?' }

it.each<[string, PlanView, boolean]>([
  ['its step sleeps', viewOf([asleep]), false],
  [
    'its step waits for an answer',
    viewOf([stepOf('a', { status: 'blocked', waitsFor: { for: 'answer', question } })]),
    false,
  ],
  [
    'its step runs and another waits for it',
    viewOf([stepOf('a', { status: 'running' }), stepOf('b', { dependsOn: ['a'] })]),
    false,
  ],
  ['its step is retried later', viewOf([stepOf('a', { status: 'failed', retryAt: now + 1 })]), false],
  [
    'it is paused, and its step waits for that',
    viewOf([stepOf('a', { status: 'blocked', waitsFor: { for: 'resume' } })], { plan: planOf({ paused: true }) }),
    false,
  ],
  [
    'it was resumed, and its step still waits for that',
    viewOf([stepOf('a', { status: 'blocked', waitsFor: { for: 'resume' } })]),
    true,
  ],
  [
    'its step has slept enough',
    viewOf([stepOf('a', { status: 'blocked', waitsFor: { for: 'time', until: now } })]),
    true,
  ],
  ['all its steps are done', viewOf([stepOf('a', { status: 'done' })]), true],
  ['a step sleeps, and another could be ready', viewOf([asleep, stepOf('b')]), true],
  ['its only step failed for good', viewOf([stepOf('a', { status: 'failed' })]), true],
  [
    'a step has run, and the plan is still open',
    viewOf([stepOf('a', { status: 'blocked', waitsFor: { for: 'time', until: now + 1 } })], {
      plan: planOf({ status: 'open' }),
    }),
    true,
  ],
  [
    'it is to be stopped',
    viewOf([asleep], { plan: planOf({ halting: { limit: 'max_steps', used: 2, allowed: 1 } }) }),
    true,
  ],
  [
    'it has a budget, and what it used is not known',
    viewOf([asleep], { plan: planOf({ budget: { maxTokens: 1 } }) }),
    true,
  ],
  ['another plan started it, and may be over', viewOf([asleep], { plan: planOf({ parentPlanId: 'p' }) }), true],
  [
    'its step waits for a plan that may be over',
    viewOf([stepOf('a', { status: 'blocked', waitsFor: { for: 'plan', planId: 'p' } })]),
    true,
  ],
  ['its function sleeps and heard all messages', { ...viewOf([sleepingFunction]), mail: new Map([['a', 2]]) }, false],
  ['its function has a new message', { ...viewOf([sleepingFunction]), mail: new Map([['a', 3]]) }, true],
  [
    'its function waits for other functions, which may be over',
    viewOf([stepOf('a', { status: 'blocked', waitsFor: { for: 'function', heard: 0, plans: ['p'] } })]),
    true,
  ],
])('a sweep looks at a plan if there may be something to do: %s', (_, view, expected) => {
  expect(needsLook(view)).toBe(expected)
})

it('passes over an erased plan', () => {
  const { plan, steps } = viewOf([stepOf('a', { status: 'done' })])
  expect(needsLook({ now, plan: { ...plan, redacted: true }, steps })).toBe(false)
})
