import type { Trace } from '@agentm/harness'
import { expect, it } from 'vitest'
import { traceText } from '../src/commands/plan/pure/trace-text.ts'

const step = 'v1:harness:step:0123456789abcdef0123456789abcdef'
const at = Date.UTC(2026, 10, 18, 12, 0, 0)

type Event = Trace['events'][number]
const event = (ms: number, facts: Partial<Event>): Event => ({
  seq: ms,
  at: at + ms,
  kind: 'step',
  nodeId: step,
  stepId: step,
  status: '',
  observationKind: '',
  mutation: 'set',
  actor: 'agentm',
  content: '',
  why: '',
  toolName: '',
  erased: false,
  data: {},
  ...facts,
})

const plan = { kind: 'plan', nodeId: 'p', stepId: '' } as const
const trace: Trace = {
  planId: 'v1:harness:plan:fedcba9876543210fedcba9876543210',
  goal: 'release 1.4',
  finalStatus: 'done',
  complete: true,
  steps: [{ id: step, title: 'Run the tests', finalStatus: 'done', transitions: [], observations: 1 }],
  events: [
    event(0, { ...plan, status: 'open', mutation: 'createHarnessPlan' }),
    event(0, { status: 'pending' }),
    event(40, { status: 'ready' }),
    event(50, { status: 'running' }),
    event(1250, {
      kind: 'observation',
      nodeId: 'o',
      observationKind: 'tool_result',
      toolName: 'shell',
      content: 'all\ngreen',
      data: { args: { run: 'npm test' }, result: 'all green' },
    }),
    event(62_000, { status: 'failed', why: 'the worker vanished' }),
    event(63_000, { status: 'ready' }),
    event(64_000, { status: 'done' }),
    event(64_000, { ...plan, status: 'done' }),
  ],
}

const brief = { verbose: false, calls: false }

it('shows titles and times since the beginning, and leaves out what explains nothing', () => {
  expect(traceText(trace, brief)).toMatchInlineSnapshot(`
    "release 1.4
    Plan fedcba98: done, 1 of 1 step done, 1 tool call, 1 min 4 s
    Created on 2026-11-18 12:00:00 UTC

           +0 ms  plan           created
          +50 ms  Run the tests  started
          +1.3 s  Run the tests  tool result shell: all green
      +1 min 2 s  Run the tests  failed: the worker vanished
      +1 min 3 s  Run the tests  ready again
      +1 min 4 s  Run the tests  done
      +1 min 4 s  plan           done"
  `)
})

it('shows every event with its date, its author and a short id when it is asked for all', () => {
  const told = traceText(trace, { verbose: true, calls: false })
  expect(told).toContain('  2026-11-18 12:00:00 UTC  01234567 Run the tests  ready (set by agentm)')
  expect(told).toContain('plan           created (createHarnessPlan by agentm)')
  expect(told.split('\n')).toHaveLength(4 + trace.events.length)
})

it('shows the arguments and the result of a tool call below it when they are asked for', () => {
  const lines = traceText(trace, { verbose: false, calls: true }).split('\n')
  const call = lines.findIndex((line) => line.includes('tool result shell'))
  expect(lines.slice(call + 1, call + 3).map((line) => line.trim())).toEqual([
    'args   {"run":"npm test"}',
    'result all green',
  ])
})

it('says that a plan is absent, and what of it was erased', () => {
  expect(traceText({ ...trace, goal: '', events: [], steps: [] }, brief)).toBe(
    'There is no plan fedcba98, or it belongs to another owner.',
  )
  const erased = traceText({ ...trace, events: [event(0, { status: 'failed', erased: true })] }, brief)
  expect(erased).toContain('failed (content erased)')
})
