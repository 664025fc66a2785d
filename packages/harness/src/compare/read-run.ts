/** Reads one plan for a comparison: its steps in their order, with what each gave, used and took. */
import { type Node, redactSecrets, scanAll } from '@agentm/nodes'
import { controlKindName } from '../control/pure/control-kind-name.ts'
import { stepOutput } from '../control/pure/step-output.ts'
import { stepKeys } from '../fork/pure/step-keys.ts'
import { asPlan, asStep, type HarnessContext, type PlanHead, readPlan } from '../harness-context.ts'
import { planUsage } from '../plan-usage.ts'
import { addUsage, noUsage, type Usage } from '../pure/budget-verdict.ts'
import { observationName, planName, stepName } from '../pure/concept-names.ts'
import type { Step } from '../step.ts'
import { planVersions } from '../trace/read-trace.ts'
import type { ComparedPlan, ComparedRun, ComparedUsage } from './comparison.ts'
import { stepRuns, usageBySteps } from './pure/step-runs.ts'

export interface RunStep {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly kind: string
  readonly run: ComparedRun
  readonly input: unknown
  readonly output: unknown
}

export interface ReadRun {
  readonly head: PlanHead
  readonly plan: ComparedPlan
  readonly steps: readonly RunStep[]
}

export async function readRun(context: HarnessContext, planId: string, now: number): Promise<ReadRun> {
  const { store, owner } = context
  const head = await readPlan(context, planId)
  const nodes = await planVersions(store.log, { id: head.id, owner })
  const versions = byId(nodes.filter(({ concept }) => concept === stepName))
  const newest = [...versions.values()].flatMap((own) => own.at(-1) ?? []).map((node) => asStep(node))
  const keys = stepKeys(
    head.id,
    newest.filter(({ redacted }) => !redacted),
  )
  const observed = usageBySteps(nodes.filter(({ concept }) => concept === observationName))
  const below = await usageBelow(context, head.id, now)
  const steps = newest.map((step): RunStep => {
    const { kind = 'agent' } = step.payload
    const [key, title] = [keys.get(step.id) ?? '', titleOf(step)]
    const usage = addUsage(observed.get(step.id) ?? noUsage, below.get(step.id) ?? noUsage)
    const run = comparedRun(step, { usage, runs: stepRuns(versions.get(step.id) ?? [], now) })
    return { id: step.id, key, title, kind, run, input: step.payload.input, output: outputOf(step.payload) }
  })
  const usage = await planUsage(context, head, { now })
  return { head, plan: comparedPlan(head, nodes, { steps, usage, now }), steps }
}

/** In the order of the first version of each. */
function byId(nodes: readonly Node[]): ReadonlyMap<string, readonly Node[]> {
  const groups = new Map<string, Node[]>()
  for (const node of nodes.toSorted((a, b) => a.seq - b.seq)) {
    const own = groups.get(node.id)
    if (own === undefined) groups.set(node.id, [node])
    else own.push(node)
  }
  return groups
}

/** What the plans used that a step started, by step. */
async function usageBelow(context: HarnessContext, planId: string, now: number): Promise<ReadonlyMap<string, Usage>> {
  const { store, owner } = context
  const usage = new Map<string, Usage>()
  for (const head of await scanAll(store.log, { owner, parent: planId, concepts: [planName] })) {
    const child = asPlan(head)
    const stepId = child.payload.parentStepId ?? ''
    usage.set(stepId, addUsage(usage.get(stepId) ?? noUsage, await planUsage(context, child, { now })))
  }
  return usage
}

/** What a later step sees of it. */
function outputOf({ kind = 'agent', result }: Step): unknown {
  const output = stepOutput(kind, result)
  if (kind !== controlKindName || typeof output !== 'object' || output === null || !('output' in output)) return output
  return output.output
}

function titleOf({ payload, redacted }: Node<Step>): string {
  return redacted ? '(erased)' : redactSecrets(payload.title)
}

function used({ toolCalls, tokens, costMicros }: Usage): ComparedUsage {
  return { toolCalls, tokens, costMicros }
}

function comparedRun(
  step: Node<Step>,
  { usage, runs }: { readonly usage: Usage; readonly runs: ReturnType<typeof stepRuns> },
): ComparedRun {
  const { id, payload, redacted } = step
  const { kind = 'agent', status, carriedFrom, errorMessage } = payload
  return {
    stepId: id,
    title: titleOf(step),
    kind,
    status,
    ...runs,
    ...used(usage),
    ...(carriedFrom && { carriedFrom: carriedFrom.planId }),
    ...(errorMessage !== undefined && status === 'failed' && { errorMessage: redactSecrets(errorMessage) }),
    ...(redacted && { erased: true as const }),
  }
}

function comparedPlan(
  { id, payload, createdAt, redacted }: PlanHead,
  nodes: readonly Node[],
  { steps, usage, now }: { readonly steps: readonly RunStep[]; readonly usage: Usage; readonly now: number },
): ComparedPlan {
  const { goal, status, startedAt, completedAt, carried = 0, forkedFrom, errorMessage } = payload
  const counts: Record<string, number> = {}
  for (const { run } of steps) counts[run.status] = (counts[run.status] ?? 0) + 1
  const ended = completedAt === undefined ? now : Date.parse(completedAt)
  return {
    planId: id,
    goal: redacted ? '(erased)' : redactSecrets(goal),
    status,
    createdAt: nodes.find((node) => node.id === id)?.createdAt ?? createdAt,
    durationMs: startedAt === undefined ? 0 : Math.max(0, ended - Date.parse(startedAt)),
    steps: counts,
    carried,
    attempts: steps.reduce((sum, { run }) => sum + run.attempts, 0),
    ...used(usage),
    ...(forkedFrom !== undefined && { forkedFrom }),
    ...(errorMessage !== undefined && { errorMessage: redactSecrets(errorMessage) }),
  }
}
