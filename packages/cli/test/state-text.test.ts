import { expect, it } from 'vitest'
import { needsSomebody } from '../src/commands/plan/pure/needs-somebody.ts'
import { stateText } from '../src/commands/plan/pure/state-text.ts'

const plan = {
  planId: 'v1:harness:plan:p',
  goal: 'g',
  status: 'running',
  paused: false,
  since: 0,
  steps: { failed: 1 },
  failed: [],
} as const

function shown(until: number): string {
  const row = {
    planId: plan.planId,
    stepId: 'v1:harness:step:s',
    kind: 'command',
    title: 's',
    waitsFor: { for: 'retry' as const },
    since: 0,
    attempt: 0,
  }
  return stateText({ ...plan, waiting: [{ ...row, status: 'failed', until }] }, 1000)
}

it('says who paused a plan and why, and what lets it go on', () => {
  const pausedBy = { actor: 'ann', reason: 'lunch' }
  expect(stateText({ ...plan, paused: true, pausedBy, help: 'agentm resume p', waiting: [] }, 1000)).toContain(
    '\n  paused by ann: lunch\n            agentm resume p',
  )
})

it('shows a row whatever time somebody else made it wait for', () => {
  expect(shown(60_000)).toContain('waits for its next attempt, for 1 s, until 1970-01-01T00:01:00.000Z')
  for (const at of [1e23, Infinity, NaN]) expect(shown(at)).toContain('until an impossible time')
})

it('shows what an agent has on its list, and what may have been charged for replies that were lost', () => {
  const row = { planId: plan.planId, stepId: 's', kind: 'agent', title: 'Fix it', since: 0, attempt: 0 }
  const todo = [
    { text: 'Read the\ntest', status: 'done' as const },
    { text: 'Fix the code', status: 'doing' as const },
  ]
  const running = { ...row, status: 'running' as const, waitsFor: { for: 'takeover' as const }, todo }
  const text = stateText({ ...plan, waiting: [running], lost: { tokens: 9, toolCalls: 0, costMicros: 12_000 } }, 1000)
  expect(text).toContain('\n            [x] Read the test\n            [>] Fix the code')
  expect(text).toContain('\n  up to $0.012 may have been charged for replies that did not arrive')
})

it('shows the question of a function that goes on while it asks, with the command that answers', () => {
  const row = { planId: plan.planId, stepId: 's', kind: 'function:release', title: 'Release', since: 0, attempt: 0 }
  const ask = { questionId: 'ask-0', text: 'Ship it?', allowed: ['yes', 'no'] }
  const running = { ...row, status: 'running' as const, waitsFor: { for: 'session' as const, session: 's1' }, ask }
  const runner = { host: 'here', pid: '7' }
  const text = stateText({ ...plan, waiting: [{ ...running, runner, help: 'agentm approve s' }] }, 1000)
  expect(text).toContain('Release: runs on here, process 7, and asks: Ship it? (yes | no), for 1 s')
  expect(text).toContain('\n            agentm approve s')
  const both = { ...running, alsoAsks: [{ ...ask, questionId: 'ask-4', text: 'Tell them?' }], help: 'agentm approve s' }
  expect(stateText({ ...plan, waiting: [both] }, 1000)).toContain(
    '\n            also asks: Tell them? (yes | no)\n            agentm approve s --question ask-4',
  )
  expect(needsSomebody({ paused: false, waiting: [running] })).toBe(false)
  const blocked = { ...running, status: 'blocked' as const, waitsFor: { for: 'answer' as const, text: 'Ship it?' } }
  expect(needsSomebody({ paused: false, waiting: [blocked] })).toBe(true)
})
