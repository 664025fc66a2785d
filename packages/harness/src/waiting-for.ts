import { scanAll } from '@agentm/nodes'
import { stepsWithReservation, waitForRoom } from './budget-chain.ts'
import { openQuestions } from './functions/open-questions.ts'
import { isFunctionKind } from './functions/pure/function-kind-name.ts'
import { asPlan, asStep, type HarnessContext, type StepHead } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'
import { openPlanStatuses } from './pure/plan-transitions.ts'
import { stepStatuses } from './pure/step-transitions.ts'
import { type RoomWanted, waitingOf, type WaitingStep } from './pure/waiting-of.ts'
import { step as stepConcept } from './step.ts'

/** A step that waits, and what it waits for. */
export interface Waiting extends WaitingStep {
  readonly planId: string
  readonly stepId: string
  readonly title: string
  /** The kind that a worker must allow to run it. */
  readonly kind: string
  readonly attempt: number
  /** Epoch milliseconds. */
  readonly since: number
}

/** Steps that are done wait for nothing, and most steps of a long plan are done. */
const unfinishedStatuses = stepStatuses.filter((status) => status !== 'done')

/** For one open plan, or for all open plans. */
export async function waitingFor(context: HarnessContext, planId: string | undefined): Promise<readonly Waiting[]> {
  const { store, owner } = context
  const ids = planId === undefined ? {} : { ids: [planId] }
  const plans = await scanAll(store.log, { owner, concepts: [planConcept.name], status: openPlanStatuses, ...ids })
  const waiting: Waiting[] = []
  const gates = await store.work.gates({ owners: [owner] })
  for (const plan of plans) {
    const unfinished = { owner, parent: asPlan(plan).id, concepts: [stepConcept.name], status: unfinishedStatuses }
    const steps = await scanAll(store.log, unfinished)
    const isAnyRunning = steps.some(({ status }) => status === 'running')
    const reserving = isAnyRunning ? await stepsWithReservation(context, plan.id, await store.work.now()) : undefined
    const functions = steps.filter((head) => !head.redacted && isFunctionKind(asStep(head).payload.kind))
    const asked = await openQuestions(store.log, { owner, stepIds: functions.map(({ id }) => id) })
    for (const head of steps) {
      const { id, createdAt, remaining, held, payload, redacted } = asStep(head)
      const mayWait = !redacted && payload.status === 'running' && reserving?.has(id) === true
      const room = mayWait ? await roomFor(context, asStep(head)) : undefined
      const found = redacted
        ? undefined
        : waitingOf(payload, { remaining, held, room, createdAt, gates, questions: asked.get(id) })
      if (found !== undefined)
        waiting.push({
          planId: plan.id,
          stepId: id,
          title: payload.title,
          kind: payload.kind ?? 'agent',
          attempt: payload.attempt,
          since: createdAt,
          ...found,
        })
    }
  }
  return waiting
}

/** The budget that it waits for, with the names of the steps that reserved it. */
async function roomFor(context: HarnessContext, step: StepHead): Promise<RoomWanted | undefined> {
  const { store, owner } = context
  const verdict = await waitForRoom(context, step, await store.work.now())
  if (verdict === undefined) return undefined
  const { plan, overrun, others } = verdict
  const heads = await scanAll(store.log, { owner, ids: [...new Set(others.map(({ stepId }) => stepId))] })
  const titles = heads.map((head) => (head.redacted ? head.id : `"${asStep(head).payload.title}" (${head.id})`))
  return { limit: overrun.limit, planId: plan.id, others: titles }
}
