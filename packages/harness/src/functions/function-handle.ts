/** One run of a durable function, as its caller sees it. Any process can have a handle of the same run. */
import type { Node } from '@agentm/nodes'
import { awaitPlan } from '../await-plan.ts'
import { createPlan } from '../create-plan.ts'
import type { NewPlan } from '../new-plan.ts'
import { stepIdIn } from '../pure/step-id-in.ts'
import { asStep, type HarnessContext, planIdOf, readPlan, readStep, untilUncontested } from '../harness-context.ts'
import type { FlowOptions } from '../flow/flow-fields.ts'
import { PlanOverError, StepRefusedError } from '../harness-errors.ts'
import { entryName, planName } from '../pure/concept-names.ts'
import { isPlanOver, type PlanStatus } from '../pure/plan-transitions.ts'
import { readyDraft } from '../pure/step-drafts.ts'
import { checkedBy, type DurableFunction } from './durable.ts'
import type { Entry } from './entry.ts'
import { FunctionCancelledError, FunctionFailedError } from './function-errors.ts'
import { functionStepKey, isFunctionKind } from './pure/function-kind-name.ts'
import { messageDraft, type Message } from './mailbox.ts'
import { readEntries } from './node-function-log.ts'
import type { FunctionHistory } from './replay-against.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Options of `harness.start`: those of a plan, and when and how many runs may start. `limit` and `rate` count passes: a run that waits
 * takes no place of its limit, and going on after a wait is a start of its rate.
 */
export interface StartOptions extends Pick<NewPlan, 'id' | 'budget' | 'partition'>, FlowOptions {}

/** Something that happened in a run. */
export interface FunctionEvent {
  /** Where it stands in the log. Give it to `events({ after })` to go on behind it. */
  readonly position: number
  /** Epoch milliseconds. */
  readonly at: number
  /** What the function asked for, or `end` for the end of the run. */
  readonly op: Entry['op'] | 'end'
  readonly name: string
  readonly status: Entry['status'] | PlanStatus
  /** What was emitted, or what the function got. */
  readonly value: unknown
}

/** One run of a durable function. */
export interface FunctionHandle<O = unknown> {
  /** The id of the run, which is the id of its plan. */
  readonly id: string
  /** What the function returned, once it has. Throws `FUNCTION_FAILED` or `FUNCTION_CANCELLED` if it ended otherwise. */
  result(options?: { readonly signal?: AbortSignal }): Promise<O>
  /** Everything that happened and happens in the run, until it ends: live, and from a position on. */
  events(options?: { readonly after?: number; readonly signal?: AbortSignal }): AsyncIterable<FunctionEvent>
  /** Sends a value to `run.signal(name)`. Signals that nobody waits for yet are kept. */
  signal(name: string, value?: unknown): Promise<void>
  /** What the function showed last under this name. */
  query<T = unknown>(name: string): Promise<T | undefined>
  /** Asks the function to stop: whatever it waits for throws, so that its `finally` blocks and undo steps run. */
  cancel(reason?: string): Promise<void>
  status(): Promise<PlanStatus>
  /** What was recorded, as JSON, for `replayAgainst`. */
  history(): Promise<FunctionHistory>
}

export async function startFunction<I extends Fields, O>(
  context: HarnessContext,
  durable: DurableFunction<I, O>,
  input: I,
  options: StartOptions & { readonly id: string },
): Promise<FunctionHandle<O>> {
  await checkedBy(durable.shape.input, input, `the input of ${durable.functionName}`)
  const { id, budget, partition, ...flow } = options
  const { planId } = await createPlan(context, {
    id,
    goal: durable.functionName,
    steps: [{ ...durable.step(input), ...flow }],
    ...(budget && { budget }),
    ...(partition !== undefined && { partition }),
  })
  return handleOf<O>(context, planId)
}

/** `key` is that of the step that runs the function, in a plan that has other steps, too. */
export function handleOf<O>(context: HarnessContext, id: string, key: string = functionStepKey): FunctionHandle<O> {
  const planId = planIdOf(id)
  const stepId = stepIdIn(planId, key)
  const { store, owner } = context
  return {
    id: planId,
    result: async ({ signal } = {}) => resultOf<O>(context, { planId, stepId }, signal),
    events: ({ after = 0, signal } = {}) => eventsOf(context, { planId, stepId }, { after, signal }),
    signal: (name, value) =>
      send(context, { planId, stepId }, { say: 'signal', name, ...(value !== undefined && { value }) }),
    async query<T>(name: string) {
      const shown = await readEntries(store.log, { owner, stepId })
      const last = shown.findLast(({ entry }) => entry.op === 'show' && entry.name === name)
      return last?.entry.value as T | undefined
    },
    cancel: (reason = '') => send(context, { planId, stepId }, { say: 'cancel', name: reason }),
    status: async () => (await readPlan(context, planId)).payload.status,
    async history() {
      const [plan, step] = [await readPlan(context, planId), await readStep(context, stepId)]
      const [first] = await store.log.history(planId, { owner, limit: 1 })
      const { replays } = step.payload
      return {
        run: plan.id,
        kind: step.payload.kind ?? '',
        input: step.payload.input ?? {},
        startedAt: replays?.startedAt ?? first?.createdAt ?? plan.createdAt,
        ...(replays && { seed: replays.planId }),
        entries: await readEntries(store.log, { owner, stepId }),
      }
    },
  }
}

interface RunIds {
  readonly planId: string
  readonly stepId: string
}

/**
 * Sends a message to a run that has not ended. A run that waits is made ready in the same append, so that no worker has to be there to
 * notice. A run that is being worked on hears of it through the feed.
 */
export async function send(context: HarnessContext, to: RunIds, message: Omit<Message, 'number'>): Promise<void> {
  const { store, owner, actor } = context
  await untilUncontested(async () => {
    const { id, payload, partition } = await readPlan(context, to.planId)
    if (isPlanOver(payload.status)) throw new PlanOverError(id, payload.status)
    const step = await store.log.latest(to.stepId, { owner })
    if (step === undefined || !isFunctionKind(asStep(step).payload.kind))
      throw new StepRefusedError(id, payload.status, 'it is no run of a durable function, so nothing can be sent to it')
    const waits = asStep(step).payload.waitsFor?.for === 'function'
    const drafts = [messageDraft(to, message), ...(waits ? [readyDraft(step)] : [])]
    await store.log.append(drafts, { owner, actor, partition, ...(waits && { expects: { [step.id]: step.version } }) })
  })
}

async function resultOf<O>(
  context: HarnessContext,
  { planId, stepId }: RunIds,
  signal: AbortSignal | undefined,
): Promise<O> {
  const { payload } = await awaitPlan(context, planId, signal)
  const { status, errorMessage = '' } = payload
  if (status === 'cancelled') throw new FunctionCancelledError(planId, errorMessage)
  const step = await readStep(context, stepId)
  if (status !== 'done') throw new FunctionFailedError(planId, step.payload.errorMessage ?? errorMessage)
  // The output schema checked it when the function returned.
  return step.payload.result?.['value'] as O
}

async function* eventsOf(
  { store, owner }: HarnessContext,
  { planId, stepId }: RunIds,
  { after, signal }: { readonly after: number; readonly signal: AbortSignal | undefined },
): AsyncGenerator<FunctionEvent, void, undefined> {
  const feed = store.log.feed({ owner, after, concepts: [entryName, planName], ...(signal && { signal }) })
  for await (const { node } of feed) {
    if (node.id === planId && isPlanOver(node.status)) {
      yield {
        ...placeOf(node),
        op: 'end',
        name: '',
        status: node.status as PlanStatus,
        value: node.payload['errorMessage'],
      }
      return
    }
    if (node.payload['stepId'] !== stepId) continue
    const { op, name, status, value } = node.payload as unknown as Entry
    yield { ...placeOf(node), op, name, status, value }
  }
}

function placeOf({ seq, createdAt }: Node): Pick<FunctionEvent, 'position' | 'at'> {
  return { position: seq, at: createdAt }
}
