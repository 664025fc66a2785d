/** What happened to a plan, from its log. */
import {
  assembleTrace,
  fixtureOf,
  readRecording,
  readTrace,
  renderTrace,
  type Trace,
  traceMetrics,
} from '@agentm/harness'
import { AbsentNodeError, composeId, redactSecrets, redactValue } from '@agentm/nodes'
import type { Answer, Call, Command } from '../../command.ts'
import { ErasedError, findPlanId } from './find-row.ts'
import { planConcept } from './pure/plan-concept.ts'
import { fullId } from './full-id.ts'
import { lookingAtPlans } from './with-plans.ts'

export const trace: Command = {
  takes: 'PLAN',
  summary: 'what happened to a plan, in order',
  details:
    'With --json: { planId, goal, status, complete, stepCount, metrics, steps, events, timeline }; an event of a tool call has its\n' +
    'arguments and its result in data, and timeline is the text. What looks like a secret is replaced. A plan that is not there, or\n' +
    'not yours, has an empty trace and exit code 1. --fixture prints the plan as a fixture for agentm eval.',
  options: {
    calls: { help: 'also the arguments of each tool call, and what it answered' },
    fixture: { value: 'NAME', help: 'print it as a fixture of this name instead' },
  },
  async run(call) {
    const [words = ''] = call.args
    const name = call.get('fixture')
    return name === undefined ? traced(call, await fullId(words, call)) : recorded(call, name)
  },
}

async function traced(call: Call, planId: string): Promise<Answer> {
  const calls = call.has('calls')
  return lookingAtPlans(
    call,
    async ({ log, owner }) => answer(await readTrace(log, { planId, owner }), calls),
    () => answer(assembleTrace(composeId(planConcept, planId), []), calls),
  )
}

/** What a plan and its steps were given is stored as it was, and what was written long ago may hold a secret. */
function answer(happened: Trace, calls: boolean): Answer {
  const shown = redactValue({
    ...happened,
    events: happened.events.map((event) => ({ ...event, data: withArguments(event.data) })),
  })
  const { planId, goal, finalStatus, complete, steps, events } = shown
  const timeline = redactSecrets(renderTrace(shown, { calls }))
  return {
    text: timeline,
    data: {
      planId,
      goal,
      status: finalStatus,
      complete,
      stepCount: steps.length,
      metrics: traceMetrics(happened),
      steps,
      events: events.map((event) => ({ ...event, at: new Date(event.at).toISOString() })),
      timeline,
    },
    exit: steps.length === 0 ? 1 : 0,
  }
}

/** They are kept as the model wrote them, which is JSON where they could be understood. */
function withArguments(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { args } = data
  if (typeof args !== 'string') return data
  try {
    return { ...data, args: JSON.parse(args) as unknown }
  } catch {
    return data
  }
}

async function recorded(call: Call, name: string): Promise<Answer> {
  const [words = ''] = call.args
  return lookingAtPlans(
    call,
    async (opened) => {
      const { log, owner } = opened
      const planId = await findPlanId(opened, words)
      const recording = await readRecording(log, { planId, owner })
      if (recording === undefined) throw new ErasedError(planId)
      const fixture = redactValue(fixtureOf(recording, name))
      return { text: JSON.stringify(fixture, undefined, 2), data: fixture }
    },
    () => {
      throw new AbsentNodeError(words)
    },
  )
}
