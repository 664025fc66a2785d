/**
 * The reconciler: looks at plans that may need something, decides purely, performs. It keeps no state that matters; what it
 * remembers only says where to look first, and a sweep over all plans that have not ended finds the rest.
 */
import { type Abandoned, type Head, type NodeStore, scanAll } from '@agentm/nodes'
import { asStep, type HarnessContext, type StepHead } from './harness-context.ts'
import { forgottenSteps, lookAtPlan, lookAtSteps } from './look-at-plan.ts'
import { performActions } from './perform-actions.ts'
import { plan as planConcept } from './plan.ts'
import { type Action, nextActions } from './pure/next-actions.ts'
import { openPlanStatuses } from './pure/plan-transitions.ts'
import type { Lost, PlanView } from './pure/plan-view.ts'
import { step as stepConcept } from './step.ts'

export interface KeeperSettings {
  readonly store: Pick<NodeStore, 'log' | 'work'>
  readonly owners: readonly string[]
  readonly actor: string
  /** By the store's clock. */
  readonly now: () => number
}

export class PlanKeeper {
  readonly #settings: KeeperSettings

  constructor(settings: KeeperSettings) {
    this.#settings = settings
  }

  contextOf(owner: string): HarnessContext {
    const { store, actor } = this.#settings
    return { store, owner, actor }
  }

  /**
   * Every plan of these owners that has not ended, as a whole. `pause` lets others in between two of them: a store in this
   * process answers without ever giving way, and renewals would wait for the last plan.
   */
  async sweep(pause: () => Promise<void> = async () => undefined): Promise<void> {
    await this.recover()
    for (const owner of this.#settings.owners) {
      const query = { owner, concepts: [planConcept.name], status: openPlanStatuses }
      for (const { id } of await scanAll(this.#settings.store.log, query)) {
        await pause()
        await this.lookAtWhole(owner, id)
      }
    }
  }

  /** Until nothing is left to do at once: performing one thing may be what the next waited for. */
  async lookAtWhole(owner: string, planId: string): Promise<number> {
    const context = this.contextOf(owner)
    let written = 0
    for (let round = 0; round < longestChain; round++) {
      const view = await lookAtPlan(context, planId, { now: this.#settings.now() })
      const performed = view === undefined ? 0 : (await performActions(context, view, nextActions(view))).written
      if (performed === 0) return written
      written += performed
    }
    return written
  }

  /** Steps that may have become free, and whether the plan is over; reads no more than those. */
  async lookAtFree(owner: string, planId: string): Promise<number> {
    const context = this.contextOf(owner)
    const steps = await forgottenSteps(context, planId)
    return this.#lookAt(context, planId, steps)
  }

  /** No step of the plan runs here any more. It may have ended, unless a step runs or waits for a worker elsewhere. */
  async lookAtQuiet(owner: string, planId: string): Promise<number> {
    const context = this.contextOf(owner)
    const query = { owner, parent: planId, concepts: [stepConcept.name], status: ['running', 'ready'], limit: 1 }
    const { nodes } = await context.store.log.scan(query)
    // What is ready and held nobody claims: its plan may have waited for nothing but what ran.
    const isGoingOn = nodes.some(({ status, held }) => status === 'running' || !held)
    return isGoingOn ? 0 : this.#lookAt(context, planId, [])
  }

  /** Running steps whose worker is gone. */
  async recover(): Promise<number> {
    const { store, owners } = this.#settings
    const lost = await store.work.abandoned({ owners })
    return this.#each(
      lost.filter(({ node }) => node.concept === stepConcept.name),
      ({ node }) => node,
      (abandoned) => new Map(abandoned.map(({ node, why }) => [node.id, why] as const)),
    )
  }

  /** A step that is claimed for this session but does not run. */
  async recoverOrphan(step: StepHead): Promise<number> {
    const lost = new Map([[step.id, 'closed' as const]])
    return this.#lookAt(this.contextOf(step.owner), step.payload.planId, [step], lost)
  }

  /** What waited for a time that has come. Answers how much there was and how much of it came to something. */
  async attend(): Promise<{ readonly due: number; readonly written: number }> {
    const { store, owners } = this.#settings
    const due = await store.work.due({ owners })
    const steps = due.filter(({ concept }) => concept === stepConcept.name)
    let written = await this.#each(steps, (node) => node)
    for (const { id, owner, concept } of due)
      if (concept === planConcept.name) written += await this.lookAtWhole(owner, id)
    return { due: due.length, written }
  }

  async #each<T extends Abandoned | Head>(
    found: readonly T[],
    headOf: (item: T) => Head,
    lostOf?: (items: readonly T[]) => ReadonlyMap<string, Lost>,
  ): Promise<number> {
    const plans = new Map<string, T[]>()
    for (const item of found) {
      const planId = headOf(item).parent ?? ''
      plans.set(planId, [...(plans.get(planId) ?? []), item])
    }
    let written = 0
    for (const [planId, items] of plans) {
      const steps = items.map((item) => asStep(headOf(item)))
      const [first] = steps
      if (first === undefined) continue
      written += await this.#lookAt(this.contextOf(first.owner), planId, steps, lostOf?.(items))
    }
    return written
  }

  async #lookAt(
    context: HarnessContext,
    planId: string,
    steps: readonly StepHead[],
    abandoned?: ReadonlyMap<string, Lost>,
  ): Promise<number> {
    const options = { now: this.#settings.now(), ...(abandoned && { abandoned }) }
    const view = await lookAtSteps(context, { planId, steps }, options)
    return view === undefined ? 0 : this.#perform(context, view)
  }

  async #perform(context: HarnessContext, view: PlanView): Promise<number> {
    const actions = nextActions(view)
    const { written, look } = await performActions(context, view, actions)
    return look || actions.some(endsStep) ? written + (await this.lookAtWhole(context.owner, view.plan.id)) : written
  }
}

/** After these events a step has failed permanently, and perhaps its plan, too. */
function endsStep(action: Action): boolean {
  if (action.do === 'expire') return action.question.default === undefined
  return action.do === 'recover' && (action.onto.to === 'dead-letter' || action.onto.to === 'failed')
}

const longestChain = 10
