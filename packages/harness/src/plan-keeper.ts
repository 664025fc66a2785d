/**
 * The reconciler: it looks at plans that may need an action, decides with pure functions, and performs the decision. What it
 * remembers is only a hint where to look first. A sweep over all open plans finds the rest.
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
  /** The clock of the store. */
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
   * Looks at every open plan of these owners as a whole. `pause` runs between two plans, because a store in this process never
   * yields to the event loop, and lease renewals would have to wait for the last plan.
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

  /** Repeats until no action is left, because one action may make the next one possible. */
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

  /** Checks steps that may have become ready, and whether the plan has ended. It reads only those steps. */
  async lookAtFree(owner: string, planId: string): Promise<number> {
    const context = this.contextOf(owner)
    const steps = await forgottenSteps(context, planId)
    return this.#lookAt(context, planId, steps)
  }

  /** Called when no step of the plan runs here any more. The plan may have ended, unless a step runs or waits for a worker elsewhere. */
  async lookAtQuiet(owner: string, planId: string): Promise<number> {
    const context = this.contextOf(owner)
    const query = { owner, parent: planId, concepts: [stepConcept.name], status: ['running', 'ready'], limit: 1 }
    const { nodes } = await context.store.log.scan(query)
    // Ready steps with `held` set cannot be claimed. Their plan may have waited only for the steps that ran.
    const isGoingOn = nodes.some(({ status, held }) => status === 'running' || !held)
    return isGoingOn ? 0 : this.#lookAt(context, planId, [])
  }

  /** Recovers running steps whose worker is gone. */
  async recover(): Promise<number> {
    const { store, owners } = this.#settings
    const lost = await store.work.abandoned({ owners })
    return this.#each(
      lost.filter(({ node }) => node.concept === stepConcept.name),
      ({ node }) => node,
      (abandoned) => new Map(abandoned.map(({ node, why }) => [node.id, why] as const)),
    )
  }

  /** Recovers a step that is claimed for this session but does not run. */
  async recoverOrphan(step: StepHead): Promise<number> {
    const lost = new Map([[step.id, 'closed' as const]])
    return this.#lookAt(this.contextOf(step.owner), step.payload.planId, [step], lost)
  }

  /** Handles steps whose waiting time is over. Returns how many were due, and how many were written. */
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

/** After these actions a step has failed permanently, and its plan may have failed, too. */
function endsStep(action: Action): boolean {
  if (action.do === 'expire') return action.question.default === undefined
  return action.do === 'recover' && (action.onto.to === 'dead-letter' || action.onto.to === 'failed')
}

const longestChain = 10
