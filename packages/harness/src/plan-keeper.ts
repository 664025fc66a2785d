/**
 * The reconciler: it looks at plans that may need an action, decides with pure functions, and performs the decision. What it
 * remembers is only a hint where to look first. The sweep finds the rest.
 */
import { type Abandoned, type Head, type NodeStore, scanAll } from '@agentm/nodes'
import { asStep, type HarnessContext, type PlanHead, type StepHead } from './harness-context.ts'
import { forgottenSteps, lookAtPlan, lookAtSteps, plansInNeed } from './look-at-plan.ts'
import { performActions } from './perform-actions.ts'
import { plan as planConcept } from './plan.ts'
import { scheduleName } from './pure/concept-names.ts'
import { type Action, nextActions } from './pure/next-actions.ts'
import type { Lost, PlanView } from './pure/plan-view.ts'
import { attendSchedule } from './schedules/attend-schedule.ts'
import { step as stepConcept } from './step.ts'

export interface KeeperSettings {
  readonly store: Pick<NodeStore, 'log' | 'work'>
  readonly owners: readonly string[]
  readonly actor: string
  /** The clock of the store. */
  readonly now: () => number
  /** Whether plans of schedules are started (default: true). A worker that is limited to some plans starts none. */
  readonly schedules?: boolean
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

  /** The ids of those plans that a sweep must look at. */
  async plansInNeed(owner: string, plans: readonly PlanHead[]): Promise<readonly string[]> {
    return plansInNeed(this.contextOf(owner), plans, this.#settings.now())
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
      else if (concept === scheduleName) written += await this.#attendSchedule(owner, id)
    return { due: due.length, written }
  }

  /** Schedules that are due, and those with a start that waits for a plan, which may have ended. */
  async attendSchedules(): Promise<void> {
    const { store, owners, schedules } = this.#settings
    if (schedules === false) return
    const due = (await store.work.due({ owners })).filter(({ concept }) => concept === scheduleName)
    for (const { owner, id } of due) await this.#attendSchedule(owner, id)
    for (const owner of owners)
      for (const { id } of await scanAll(store.log, { owner, concepts: [scheduleName], status: 'waiting' }))
        await this.#attendSchedule(owner, id)
  }

  async #attendSchedule(owner: string, id: string): Promise<number> {
    return this.#settings.schedules === false ? 0 : attendSchedule(this.contextOf(owner), id)
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
    const looks = [...plans].map(([planId, items]) => async () => {
      const steps = items.map((item) => asStep(headOf(item)))
      const [first] = steps
      if (first === undefined) return 0
      return this.#lookAt(this.contextOf(first.owner), planId, steps, lostOf?.(items))
    })
    return sumOf(looks)
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

/** A store commits what is written at the same time together. */
const looksAtOnce = 32

/** Makes all looks, even if one of them fails. */
async function sumOf(looks: readonly (() => Promise<number>)[]): Promise<number> {
  const results: PromiseSettledResult<number>[] = []
  for (let i = 0; i < looks.length; i += looksAtOnce)
    results.push(...(await Promise.allSettled(looks.slice(i, i + looksAtOnce).map((look) => look()))))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return results.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
}

/** After these actions a step has failed permanently, and its plan may have failed, too. */
function endsStep(action: Action): boolean {
  if (action.do === 'lapse') return true
  if (action.do === 'expire') return action.question.default === undefined
  return action.do === 'recover' && (action.onto.to === 'dead-letter' || action.onto.to === 'failed')
}

const longestChain = 10
