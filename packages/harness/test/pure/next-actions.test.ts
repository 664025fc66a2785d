import { describe, expect, it } from 'vitest'
import { type Action, nextActions } from '../../src/pure/next-actions.ts'
import { noUsage } from '../../src/pure/budget-verdict.ts'
import { type PlanView } from '../../src/pure/plan-view.ts'
import { type Wait } from '../../src/step.ts'
import { now, planOf, stepOf, viewOf } from './plan-views.ts'

describe('what is next', () => {
  it.each<[string, PlanView, string[]]>([
    ['a step without dependencies', viewOf([stepOf('a')]), ['promote a']],
    [
      'a step whose dependencies are done',
      viewOf([stepOf('a', { status: 'done' }), stepOf('b', { dependsOn: ['a'] })]),
      ['promote b'],
    ],
    [
      'a step whose dependencies run',
      viewOf([stepOf('a', { status: 'running' }), stepOf('b', { dependsOn: ['a'] })]),
      [],
    ],
    ['a plan without steps', viewOf([]), []],
    ['a plan that is all done', viewOf([stepOf('a', { status: 'done' })]), ['settle done']],
    ['a step that failed for good', viewOf([stepOf('a', { status: 'failed' })]), ['settle failed']],
    ['a step that is to be retried later', viewOf([stepOf('a', { status: 'failed', retryAt: now + 1 })]), []],
    ['a step whose retry is due', viewOf([stepOf('a', { status: 'failed', retryAt: now })]), ['retry a']],
    [
      'an open plan with a claimed step',
      viewOf([stepOf('a', { status: 'running' })], { plan: planOf({ status: 'open' }) }),
      ['start'],
    ],
    ['a plan that is over', viewOf([stepOf('a')], { plan: planOf({ status: 'cancelled' }) }), []],
    [
      'a plan whose starter is over',
      viewOf([stepOf('a', { status: 'running' })], { parent: { plan: 'running', isStepOver: true } }),
      ['cancel'],
    ],
    [
      'ready steps with two free slots',
      viewOf(
        ['a', 'b', 'c'].map((id) => stepOf(id, { status: 'ready' })),
        { freeSlots: 2 },
      ),
      ['claim a', 'claim b'],
    ],
    [
      'ready steps of a paused plan',
      viewOf([stepOf('a', { status: 'ready' })], { freeSlots: 2, plan: planOf({ paused: true }) }),
      [],
    ],
  ])('decides for %s', (_, view, expected) => {
    expect(nextActions(view).map(told)).toEqual(expected)
  })

  it('sees a dead end however many edges away', () => {
    const chain = [
      stepOf('s0', { status: 'failed' }),
      ...[1, 2, 3, 4].map((i) => stepOf(`s${i}`, { dependsOn: [`s${i - 1}`] })),
    ]
    expect(nextActions(viewOf(chain)).map(told)).toEqual(['settle failed'])
  })

  it('sees a dead end beside a dependency that is done', () => {
    const steps = [
      stepOf('bad', { status: 'failed' }),
      stepOf('good', { status: 'done' }),
      stepOf('both', { dependsOn: ['good', 'bad'] }),
    ]
    expect(nextActions(viewOf(steps)).map(told)).toEqual(['settle failed'])
  })

  it('keeps going while another branch can still finish, then ends', () => {
    const dead = [stepOf('a', { status: 'failed' }), stepOf('b', { dependsOn: ['a'] })]
    expect(nextActions(viewOf([...dead, stepOf('c', { status: 'running' })]))).toEqual([])
    expect(nextActions(viewOf([...dead, stepOf('c', { status: 'done' })])).map(told)).toEqual(['settle failed'])
  })

  it('ends a plan that waits for itself, or for a step that does not exist', () => {
    const circle = [stepOf('a', { dependsOn: ['b'] }), stepOf('b', { dependsOn: ['a'] })]
    expect(nextActions(viewOf(circle)).map(told)).toEqual(['settle failed'])
    expect(nextActions(viewOf([stepOf('a', { dependsOn: ['nowhere'] })])).map(told)).toEqual(['settle failed'])
  })

  it('judges the verdict before the budget', () => {
    const plan = planOf({ budget: { maxSteps: 1, maxTokens: 1 } })
    const usage = { ...noUsage, steps: 1, tokens: 9 }
    expect(nextActions(viewOf([stepOf('a', { status: 'done' })], { plan, usage })).map(told)).toEqual(['settle done'])
  })

  it('halts when one more start is wanted than the budget allows, and lets the last allowed one end', () => {
    const plan = planOf({ budget: { maxSteps: 1 } })
    const usage = { ...noUsage, steps: 1 }
    const running = stepOf('a', { status: 'running' })
    expect(nextActions(viewOf([running], { plan, usage }))).toEqual([])
    const steps = [running, stepOf('b', { status: 'ready' })]
    const overrun = { limit: 'max_steps', used: 1, allowed: 1 } as const
    expect(nextActions(viewOf(steps, { plan, usage }))).toEqual([{ do: 'drain', overrun }])
    const halting = planOf({ budget: { maxSteps: 1 }, halting: overrun })
    expect(nextActions(viewOf(steps, { plan: halting, usage, freeSlots: 1 }))).toEqual([])
    const ended = [stepOf('a', { status: 'done' }), stepOf('b', { status: 'ready' })]
    expect(nextActions(viewOf(ended, { plan: halting, usage }))).toEqual([
      {
        do: 'halt',
        overrun: { limit: 'max_steps', used: 1, allowed: 1 },
        message: 'stopped at max_steps: 1 used of 1',
      },
    ])
  })

  it.each([
    ['max_tool_calls', { maxToolCalls: 3 }, { toolCalls: 3 }],
    ['max_tokens', { maxTokens: 10 }, { tokens: 12 }],
    ['max_wall_clock', { maxWallClockMs: 10 }, { wallClockMs: 10 }],
    ['max_cost', { maxCostMicros: 5 }, { costMicros: 5 }],
  ])('halts at %s', (limit, budget, used) => {
    const view = viewOf([stepOf('a', { status: 'running' })], {
      plan: planOf({ budget }),
      usage: { ...noUsage, ...used },
    })
    expect(nextActions(view)).toMatchObject([{ do: 'halt', overrun: { limit } }])
  })
})

describe('what becomes of a step whose worker is gone', () => {
  const abandoned = new Map([['a', 'lease' as const]])
  const recover = (payload: object) =>
    nextActions(viewOf([stepOf('a', { status: 'running', ...payload })], { abandoned }))

  it('runs again at once the first time, later the next, and is set aside in the end', () => {
    expect(recover({})).toMatchObject([{ do: 'recover', onto: { to: 'ready' } }])
    expect(recover({ crashes: 1 })).toMatchObject([{ do: 'recover', onto: { to: 'retry' } }])
    expect(recover({ crashes: 4 })).toMatchObject([{ do: 'recover', onto: { to: 'dead-letter' } }])
  })

  it('asks whether an effect happened, unless the step says what to do', () => {
    expect(recover({ intentAt: 1 })).toMatchObject([{ do: 'block', question: { allowed: ['done', 'retry', 'fail'] } }])
    expect(recover({ intentAt: 1, onUnknown: 'fail' })).toMatchObject([{ do: 'recover', onto: { to: 'failed' } }])
    expect(recover({ intentAt: 1, onUnknown: 'retry' })).toMatchObject([{ do: 'recover', onto: { to: 'ready' } }])
  })

  it('leaves a running step alone whose worker lives', () => {
    expect(nextActions(viewOf([stepOf('a', { status: 'running' })]))).toEqual([])
  })
})

describe('what a blocked step waits for', () => {
  const question = { id: 'q', text: 'really?' }

  it('is an answer until its deadline', () => {
    expect(blocked({ for: 'answer', question })).toEqual([])
    expect(blocked({ for: 'answer', question: { ...question, deadline: now + 1 } })).toEqual([])
    expect(blocked({ for: 'answer', question: { ...question, deadline: now } })).toEqual(['expire a'])
  })

  it('is a time, a resumption, or the end of a plan', () => {
    expect(blocked({ for: 'time', until: now + 1 })).toEqual([])
    expect(blocked({ for: 'time', until: now })).toEqual(['promote a'])
    expect(blocked({ for: 'resume' }, { plan: planOf({ paused: true }) })).toEqual([])
    expect(blocked({ for: 'resume' })).toEqual(['promote a'])
    expect(blocked({ for: 'plan', planId: 'c' }, { children: new Map([['c', 'running']]) })).toEqual([])
    expect(blocked({ for: 'plan', planId: 'c' }, { children: new Map([['c', 'failed']]) })).toEqual(['promote a'])
  })
})

function told(action: Action): string {
  if ('step' in action) return `${action.do} ${action.step.id}`
  return action.do === 'settle' ? `settle ${action.status}` : action.do
}

function blocked(waitsFor: Wait, more = {}): string[] {
  return nextActions(viewOf([stepOf('a', { status: 'blocked', waitsFor })], more)).map(told)
}
