/** Shows what each unfinished step waits for, since when, until when, and the command that helps. */
import { type Answer, type Call, type Command, UsageError } from '../../command.ts'
import { findAnyRow } from './find-row.ts'
import { latestPlanStates, openPlanStates, planState, type PlanState } from './plan-state.ts'
import { shortId } from './pure/short-id.ts'
import { momentText, stateText } from './pure/state-text.ts'
import { stepText } from './pure/step-text.ts'
import { type Look, watchStatus } from './watch-status.ts'
import { lookingAtPlans } from './with-plans.ts'
import { isPlanOver, type StepHead } from '@agentm/harness'
import { AbsentNodeError, type Head, redactValue } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import { commandWord, typed } from '../../typed.ts'

export const status: Command = {
  takes: '[PLAN|STEP]',
  summary: 'show what each unfinished step waits for, since when, and the command that helps',
  details:
    'PLAN is an id or the beginning of an id. Without PLAN, it shows all of your plans that have not ended. STEP is an id, the beginning of an ' +
    'id, or PLAN/KEY; for a step it shows the input, the result, and the answers that people gave.',
  options: {
    all: { help: 'show the latest plans, including those that have ended' },
    watch: { help: 'update it until you press Ctrl-C or PLAN has ended; in a pipe, print it after each change' },
  },
  async run(call) {
    if (call.args.length > 0 && call.has('all'))
      throw new UsageError('a plan and --all cannot be combined. Use one of them.')
    if (call.has('watch') && call.json)
      throw new UsageError('--watch prints for people, so it does not go with --json.')
    const none: Answer = { text: noPlans(), data: { plans: [] } }
    return lookingAtPlans(
      call,
      (opened) => (call.has('watch') ? watchStatus(call, () => watched(call, opened)) : look(call, opened)),
      () => (call.args[0] === undefined ? none : absent(call.args[0])),
    )
  },
}

async function watched(call: Call, opened: PlansReader): Promise<Look> {
  const answered = await look(call, opened)
  // One plan, or one step; without a name, other plans may still start.
  const { plans: [plan] = [], status: ofStep }: { plans?: readonly { status: string }[]; status?: string } =
    answered.data as object
  const isOver = plan === undefined ? ofStep === 'done' || ofStep === 'failed' : isPlanOver(plan.status)
  return { answer: answered, isOver: call.args.length > 0 && isOver }
}

function absent(words: string): never {
  throw new AbsentNodeError(words)
}

async function look({ args: [words], has }: Call, opened: PlansReader): Promise<Answer> {
  const now = await opened.work.now()
  if (words === undefined && has('all')) return answer(await latestPlanStates(opened, mostShown), now, noPlans())
  if (words === undefined) return withSchedules(answer(await openPlanStates(opened), now), opened)
  const { of, id, erased } = await findAnyRow(opened, words)
  if (erased) return erasedAnswer(of, of === 'step' ? await opened.harness.step(id) : await opened.harness.plan(id))
  return of === 'step' ? stepAnswer(opened, await opened.harness.step(id)) : answer([await planState(opened, id)], now)
}

/** Plans that will be started are as much a part of the picture as those that run. */
async function withSchedules({ text, data, ...answered }: Answer, { harness }: PlansReader): Promise<Answer> {
  const schedules = await harness.schedules()
  const soonest = schedules
    .filter(({ next }) => next.length > 0)
    .toSorted((a, b) => (a.next[0] ?? 0) - (b.next[0] ?? 0))
  const [first] = soonest
  if (first === undefined) return { text, data, ...answered }
  const count = soonest.length === 1 ? '1 schedule starts plans' : `${soonest.length} schedules start plans`
  const line = `${count}; next: ${first.name} at ${momentText(first.next[0] ?? 0)}. To list them: ${commandWord()} schedule list`
  return { text: `${text}\n${line}`, data, ...answered }
}

function erasedAnswer(of: 'plan' | 'step', { id, status: ended = '', createdAt }: Head): Answer {
  const name = of === 'step' ? 'stepId' : 'planId'
  const text = `${shortId(id)}  ${ended}  erased on ${new Date(createdAt).toISOString().slice(0, 10)}`
  return { text, data: { [name]: id, status: ended, redacted: true } }
}

async function stepAnswer({ harness }: PlansReader, step: StepHead): Promise<Answer> {
  const answers = await harness.answers(step.id)
  // Secrets are stored as they were given, but not shown.
  const payload = redactValue({ ...step.payload, ...(Object.keys(answers).length > 0 && { answers }) })
  return { text: stepText({ id: step.id, payload }), data: { stepId: step.id, ...payload } }
}

const mostShown = 20

function noPlans(): string {
  return typed('There are no plans yet. To create one: agentm plan new --steps FILE')
}

function answer(plans: readonly PlanState[], now: number, none = noOpenPlans()): Answer {
  const text = plans.length === 0 ? none : plans.map((plan) => stateText(redactValue(plan), now)).join('\n')
  return { text, data: { plans: redactValue(plans) } }
}

function noOpenPlans(): string {
  return typed('No plan is running or waiting. To list plans that have ended: agentm status --all')
}
