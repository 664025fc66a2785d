/** The steps of a plan, and of the plans that they started, as far as their trees depend on them. */
import type { Node, NodeLog, Page, ScanQuery } from '@agentm/nodes'
import { asPlan, asStep, type PlanHead } from '../harness-context.ts'
import { planName, stepName } from '../pure/concept-names.ts'
import type { PlanTrees } from '../plan.ts'
import { treeWord } from './pure/tree-names.ts'

export interface GraphStep {
  readonly id: string
  readonly title: string
  readonly kind: string | undefined
  readonly isDone: boolean
  readonly dependsOn: readonly string[]
  /** The word of its tree. */
  readonly word: string
  /** Whether it shares its tree by name. */
  readonly isShared: boolean
}

/** The plan at the top that keeps work apart, and the step whose plan this is. */
export interface TreesPlan {
  readonly top: PlanHead
  readonly trees: PlanTrees
  /** The steps that started the plan in question and those above it, from the nearest upwards. */
  readonly startedBy: readonly { readonly planId: string; readonly stepId: string }[]
}

type Log = Pick<NodeLog, 'latest' | 'scan'>

/** The nearest plan from this one upwards that says where its steps work; `undefined` if they work in the working folder. */
export async function findTreesPlan(
  log: Log,
  { owner, planId }: { readonly owner: string; readonly planId: string },
): Promise<TreesPlan | undefined> {
  const startedBy: { planId: string; stepId: string }[] = []
  for (let id: string | undefined = planId; id !== undefined;) {
    const head = await log.latest(id, { owner })
    if (head === undefined) return undefined
    const top: PlanHead = asPlan(head)
    const { trees, parentPlanId, parentStepId } = top.payload
    if (trees !== undefined) return { top, trees, startedBy }
    if (parentPlanId !== undefined && parentStepId !== undefined)
      startedBy.push({ planId: parentPlanId, stepId: parentStepId })
    id = parentPlanId
  }
  return undefined
}

/** The steps of a plan, in the order in which they were written, each after those it depends on. */
export async function stepsInOrder(
  log: Log,
  { owner, planId, mode }: { readonly owner: string; readonly planId: string; readonly mode: PlanTrees['mode'] },
): Promise<readonly GraphStep[]> {
  const versions = await allVersions(log, { owner, parent: planId, concepts: [stepName] })
  // A later version replaces the value, and the place of the first one stays.
  const newest = new Map(versions.map((version) => [version.id, asStep(version)]))
  const steps = [...newest.values()].map(({ id, payload }): GraphStep => {
    const shared = payload.tree ?? (mode === 'shared' ? 'plan' : undefined)
    const { title, kind, dependsOn } = payload
    return {
      id,
      title,
      kind,
      dependsOn,
      isDone: payload.status === 'done',
      word: treeWord({ id, title }, shared),
      isShared: shared !== undefined,
    }
  })
  return dependenciesFirst(steps)
}

function dependenciesFirst(steps: readonly GraphStep[]): readonly GraphStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const ordered = new Set<GraphStep>()
  const visit = (step: GraphStep): void => {
    if (ordered.has(step)) return
    for (const id of step.dependsOn) {
      const needed = byId.get(id)
      if (needed !== undefined) visit(needed)
    }
    ordered.add(step)
  }
  for (const step of steps) visit(step)
  return [...ordered]
}

/** A step's dependencies, theirs, and so on, in the order of the plan. */
export function before(steps: readonly GraphStep[], stepId: string): readonly GraphStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const found = new Set<string>()
  const left = [...(byId.get(stepId)?.dependsOn ?? [])]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    if (found.has(id)) continue
    found.add(id)
    left.push(...(byId.get(id)?.dependsOn ?? []))
  }
  return steps.filter(({ id }) => found.has(id))
}

/** The plans that a step started, oldest first. */
export async function plansStartedBy(
  log: Log,
  { owner, stepId }: { readonly owner: string; readonly stepId: string },
): Promise<readonly string[]> {
  const related = { field: 'parentStepId', to: stepId }
  const versions = await allVersions(log, { owner, concepts: [planName], related })
  return [...new Set(versions.map(({ id }) => id))]
}

/** In the order of the log: the first version of each says when it was written. */
async function allVersions(log: Log, query: ScanQuery): Promise<readonly Node[]> {
  const found: Node[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page: Page<Node> = await log.scan({
      ...query,
      versions: 'all',
      limit: 10_000,
      ...(cursor !== undefined && { cursor }),
    })
    found.push(...page.nodes)
    cursor = page.cursor
  }
  return found
}
