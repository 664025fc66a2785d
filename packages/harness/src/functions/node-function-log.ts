/** The journal of a run in the node log. Every write carries the fence of the claim. */
import { deriveId, type Draft, type Node, type NodeLog, scanAll } from '@agentm/nodes'
import { stepIdIn } from '../pure/step-id-in.ts'
import { firmly } from '../firmly.ts'
import { asPlan, asStep, type PlanHead } from '../harness-context.ts'
import { entryName, stepName } from '../pure/concept-names.ts'
import { isPlanOver } from '../pure/plan-transitions.ts'
import { update } from '../pure/step-drafts.ts'
import type { StepRun } from '../step-kind.ts'
import { startedPlanId } from '../step-run.ts'
import { functionStepKey } from './pure/function-kind-name.ts'
import { type Entry } from './entry.ts'
import type { ChildEnd, ChildPlan, EntryChange, FunctionLog, Recorded } from './function-log.ts'
import { mailboxIdOf, type Message, messageDraft } from './mailbox.ts'

interface RunPlace {
  readonly owner: string
  readonly stepId: string
}

/** Calls of the store that fail for a moment are repeated, because a function must not fail with them. */
export function nodeFunctionLog(run: StepRun): FunctionLog {
  const log = bareLog(run)
  const firm = <T>(call: () => Promise<T>): Promise<T> =>
    firmly(call, { runtime: run.runtime, isOver: () => run.signal.aborted })
  return {
    now: () => log.now(),
    draftsOf: (changes) => log.draftsOf(changes),
    childIdOf: (position) => log.childIdOf(position),
    entries: () => firm(() => log.entries()),
    messages: () => firm(() => log.messages()),
    write: (changes, durability) => firm(() => log.write(changes, durability)),
    startChild: (position, child) => firm(() => log.startChild(position, child)),
    childEnd: (planId, child) => firm(() => log.childEnd(planId, child)),
    cancelChild: (planId, reason) => firm(() => log.cancelChild(planId, reason)),
  }
}

function bareLog(run: StepRun): FunctionLog {
  const { id: stepId, planId, owner } = run
  let hasCrashes = (run.step.crashes ?? 0) > 0
  let writing: Promise<unknown> = Promise.resolve()
  /** One write at a time, because each may make a new version of the step, which is the fence of the next. */
  const inTurn = <T>(write: () => Promise<T>): Promise<T> => {
    const turn = writing.then(write)
    writing = turn.catch(() => undefined)
    return turn
  }
  const draftsOf = (changes: readonly EntryChange[]): readonly Draft[] =>
    changes.map((change) => entryDraft({ stepId, planId }, change))
  return {
    now: () => run.now(),
    entries: () => readEntries(run.log, { owner, stepId }),
    messages: () => readMessages(run.log, { owner, stepId }),
    draftsOf,
    write: (changes, durability) =>
      inTurn(async () => {
        // A run that has come further is not to blame for the workers that it lost before.
        const progress = hasCrashes ? [update(stepId, 'progressHarnessStep', { crashes: 0 })] : []
        const nodes = await run.keep([...draftsOf(changes), ...progress], { durability })
        hasCrashes = false
        return nodes.slice(0, changes.length).map(recordedOf)
      }),
    startChild: (position, { plan }) =>
      inTurn(async () => (await run.startPlan({ ...plan, key: childKey(position) })).planId),
    childIdOf: (position) => startedPlanId(stepId, childKey(position)),
    async childEnd(childId, child) {
      const head = await run.log.latest(childId, { owner })
      return head === undefined || !isPlanOver(head.status) ? undefined : endOf(run, asPlan(head), child)
    },
    cancelChild: (childId, reason) =>
      inTurn(async () => {
        const head = await run.log.latest(childId, { owner })
        const to = { planId: childId, stepId: stepIdIn(childId, functionStepKey) }
        if (head !== undefined && !isPlanOver(head.status))
          await run.keep([messageDraft(to, { say: 'cancel', name: reason })])
      }),
  }
}

function childKey(position: number): string {
  return `function-${position}`
}

/** The journal of a run as it stands, in the order of positions. */
export async function readEntries(
  log: Pick<NodeLog, 'scan'>,
  { owner, stepId }: RunPlace,
): Promise<readonly Recorded[]> {
  const heads = await scanAll(log, { owner, parent: stepId, concepts: [entryName] })
  return heads.map(recordedOf)
}

async function readMessages(log: Pick<NodeLog, 'history'>, { owner, stepId }: RunPlace): Promise<readonly Message[]> {
  const versions = await log.history(mailboxIdOf(stepId), { owner })
  return versions.map(({ version, payload }) => ({
    ...(payload as unknown as Omit<Message, 'number'>),
    number: version,
  }))
}

function recordedOf(node: Node): Recorded {
  const entry = asEntry(node)
  return { entry, seq: node.seq, at: entry.carriedAt ?? node.createdAt }
}

/** The cast is safe because the schema of the concept checked the content when it was written. */
export function asEntry({ payload }: Pick<Node, 'payload'>): Entry {
  return payload as unknown as Entry
}

/** Fields that say how an entry will go on, and that a change of its status makes untrue. A step that runs keeps its intent. */
function passingIn({ status }: EntryChange): readonly ('retryAt' | 'intentAt' | 'question' | 'answer')[] {
  switch (status) {
    case 'running':
      return ['retryAt', 'question', 'answer']
    case 'asking':
      return ['answer']
    case 'withdrawn':
      return []
    default:
      return ['retryAt', 'intentAt']
  }
}

function entryDraft(run: { readonly stepId: string; readonly planId: string }, change: EntryChange): Draft {
  const fields = Object.entries(change).filter(([, value]) => value !== undefined)
  return {
    concept: entryName,
    id: deriveId(entryName, run.stepId, String(change.position)),
    payload: { ...run, ...Object.fromEntries(fields) },
    unset: passingIn(change).filter((field) => change[field] === undefined),
    mutation: 'recordHarnessEntry',
  }
}

async function endOf(
  run: StepRun,
  plan: PlanHead,
  { plan: { steps }, isFunction, resultOf }: ChildPlan,
): Promise<ChildEnd> {
  const { status, errorMessage = `its plan ended as ${status}` } = plan.payload
  if (status === 'cancelled') return { status, message: errorMessage }
  const heads = await scanAll(run.log, { owner: run.owner, parent: plan.id, concepts: [stepName] })
  if (status !== 'done') {
    // The message of the plan of a function only repeats that of its one step.
    const [body] = isFunction ? heads : []
    return { status: 'failed', message: (body && asStep(body).payload.errorMessage) ?? errorMessage }
  }
  const ids = new Map(steps.map(({ key }) => [stepIdIn(plan.id, key), key]))
  const results = heads.map((head) => [ids.get(head.id) ?? head.id, asStep(head).payload.result] as const)
  return { status: 'done', value: resultOf(Object.fromEntries(results)) }
}
