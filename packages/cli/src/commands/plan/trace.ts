/** Shows what happened in a plan, from the log. */
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
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { ErasedError, findPlanId } from './find-row.ts'
import { planConcept } from './pure/plan-concept.ts'
import { fullId } from './full-id.ts'
import { type TraceTextOptions, traceText } from './pure/trace-text.ts'
import { lookingAtPlans } from './with-plans.ts'

export const trace: Command = {
  takes: 'PLAN',
  summary: 'show what happened in a plan, in order',
  details:
    'Each line shows the time since the plan was created, the title of the step, and what happened. Secrets are replaced. --json prints ' +
    '{ planId, goal, status, complete, stepCount, metrics, steps, events, timeline }: an event of a tool call has the arguments and the ' +
    'result in data, and timeline is the text of --format seed. If there is no such plan, the exit code is 1. --fixture prints the ' +
    'plan as a fixture for agentm eval.',
  options: {
    verbose: { help: 'show every event, with its date, its author and the id of its step' },
    calls: { help: 'also show the arguments and the result of each tool call' },
    format: { value: 'FORMAT', help: 'text, or seed for the fixed layout of older versions (default: text)' },
    fixture: { value: 'NAME', help: 'print the plan as a fixture of this name instead' },
  },
  async run(call) {
    const [words = ''] = call.args
    const name = call.get('fixture')
    return name === undefined ? traced(call, await fullId(words, call)) : recorded(call, name)
  },
}

async function traced(call: Call, planId: string): Promise<Answer> {
  const format = call.get('format') ?? 'text'
  if (format !== 'text' && format !== 'seed')
    throw new UsageError(`--format does not accept ${JSON.stringify(format)}. Use text or seed.`)
  const options = { format, verbose: call.has('verbose'), calls: call.has('calls') } as const
  return lookingAtPlans(
    call,
    async ({ log, owner }) => answer(await readTrace(log, { planId, owner }), options),
    () => answer(assembleTrace(composeId(planConcept, planId), []), options),
  )
}

interface Shown extends TraceTextOptions {
  readonly format: 'text' | 'seed'
}

function answer(happened: Trace, options: Shown): Answer {
  const shown = withoutSecrets(happened)
  const { planId, goal, finalStatus, complete, steps, events } = shown
  const timeline = redactSecrets(renderTrace(shown, options))
  return {
    text: options.format === 'seed' ? timeline : redactSecrets(traceText(shown, options)),
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

/** The log stores input as it was given, and older versions stored secrets in results. */
export function withoutSecrets(happened: Trace): Trace {
  return redactValue({
    ...happened,
    events: happened.events.map((event) => ({ ...event, data: withArguments(event.data) })),
  })
}

/** Arguments are stored as the model wrote them: JSON, if it was valid. */
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
      return { text: `${JSON.stringify(fixture, undefined, 2)}\n`, exact: true, data: fixture }
    },
    () => {
      throw new AbsentNodeError(words)
    },
  )
}
