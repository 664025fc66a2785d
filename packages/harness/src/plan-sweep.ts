/**
 * Finds plans that need an action and that nobody looked at: their worker died between two writes, or a look at them failed.
 *
 * A full pass goes over all open plans. It is repeated as often as its cost allows. The passes in between look at the plans that have changed,
 * because a plan that needed nothing when it was looked at needs nothing until something changes: a version of it or of its steps, a message
 * to it, a plan above or below it, the time, or a worker that is lost. The store's timers tell whose time has come, and sessions tell who is lost.
 *
 * Plans are read page by page, so memory does not grow with their number. A page is decided from one read of its steps, and only plans that
 * need an action are looked at one by one.
 */
import { type FeedEvent, type NodeStore, scanHeads } from '@agentm/nodes'
import type { Runtime } from '@agentm/agent-loop'
import { asPlan, type PlanHead } from './harness-context.ts'
import type { PlanKeeper } from './plan-keeper.ts'
import { plan as planConcept } from './plan.ts'
import { isPlanOver, openPlanStatuses } from './pure/plan-transitions.ts'

export interface SweepSettings {
  readonly store: Pick<NodeStore, 'log'>
  readonly owners: readonly string[]
  readonly keeper: PlanKeeper
  readonly runtime: Pick<Runtime, 'now'>
  /** Runs before each page, so that timers, claims and lease renewals are not delayed: a store in this process never yields by itself. */
  readonly pause?: () => Promise<void>
  /** The most plans that are read at once (default: 200). */
  readonly plansAtOnce?: number
  /** The most changed plans to remember. If there are more, the next pass goes over all open plans (default: 10,000). */
  readonly rememberedPlans?: number
}

/** A part of a pass: the open plans of one owner in one status, from the cursor on. An index gives each in order. */
interface Stretch {
  readonly owner: string
  readonly status: string
  readonly cursor?: string
}

/** A full pass may take at most this share of the time, so that a worker beside a million sleeping plans is idle. */
const fullPassShare = 200

export class PlanSweep {
  readonly #settings: SweepSettings
  readonly #plansAtOnce: number
  readonly #rememberedPlans: number
  /** What is left of a full pass. */
  #left: readonly Stretch[] = []
  /** Plans with a higher number were written after the full pass began. They are among the changed plans. */
  #upTo = 0
  #began = 0
  /** When to begin the next full pass, by the local clock. */
  #nextFullPass = -Infinity
  /** Plans that have changed since they were last looked at here, with their owners. */
  readonly #changed = new Map<string, string>()

  constructor(settings: SweepSettings) {
    this.#settings = settings
    this.#plansAtOnce = settings.plansAtOnce ?? 200
    this.#rememberedPlans = settings.rememberedPlans ?? 10_000
  }

  /** Notes a version of a plan, a step or a mailbox. Every version that is written after the first pass has begun must be noted. */
  note({ node }: FeedEvent): void {
    if (node.concept !== planConcept.name) return this.#remember(node.owner, String(node.payload['planId']))
    this.#remember(node.owner, node.id)
    const { status, parentPlanId } = asPlan(node).payload
    if (parentPlanId !== undefined && isPlanOver(status)) this.#remember(node.owner, parentPlanId)
  }

  /** One pass. After an error, the next call continues with the next page, and plans of the page that failed are looked at again. */
  async pass(): Promise<void> {
    const { keeper, runtime } = this.#settings
    await keeper.recover()
    if (this.#left.length === 0 && runtime.now() >= this.#nextFullPass) await this.#beginFullPass()
    while (this.#left.length > 0) await this.#sweepPage()
    await this.#sweepChanged()
  }

  async #beginFullPass(): Promise<void> {
    const { store, owners, runtime } = this.#settings
    // All of these are among the open plans, or have ended.
    this.#changed.clear()
    this.#began = runtime.now()
    this.#nextFullPass = Infinity
    this.#upTo = await store.log.position()
    this.#left = owners.flatMap((owner) => openPlanStatuses.map((status) => ({ owner, status })))
  }

  async #sweepPage(): Promise<void> {
    const { store, pause } = this.#settings
    const [stretch, ...others] = this.#left
    if (stretch === undefined) return
    await pause?.()
    const page = await store.log.scan({ ...stretch, concepts: [planConcept.name], limit: this.#plansAtOnce })
    const plans = page.nodes.filter(({ seq }) => seq <= this.#upTo).map((head) => asPlan(head))
    const { cursor } = page
    const isOver = cursor === undefined || plans.length < page.nodes.length
    this.#left = isOver ? others : [{ ...stretch, cursor }, ...others]
    if (this.#left.length === 0) this.#planNextFullPass()
    await this.#lookAt(stretch.owner, plans)
  }

  #planNextFullPass(): void {
    // More plans have changed than can be remembered.
    if (this.#nextFullPass < Infinity) return
    const now = this.#settings.runtime.now()
    this.#nextFullPass = now + Math.max(0, now - this.#began) * fullPassShare
  }

  async #sweepChanged(): Promise<void> {
    // Plans that change from now on are put behind these.
    for (let left = this.#changed.size; left > 0;) {
      await this.#settings.pause?.()
      const { owner, ids } = this.#drawChanged(left)
      left -= ids.length
      await this.#lookAtThoseOf(owner, ids)
    }
  }

  /** The first of the changed plans, and others of its owner. */
  #drawChanged(most: number): { readonly owner: string; readonly ids: readonly string[] } {
    const [owner = ''] = this.#changed.values()
    const ids: string[] = []
    let seen = 0
    for (const [id, whose] of this.#changed) {
      if (seen++ === most || ids.length === this.#plansAtOnce) break
      if (whose === owner) ids.push(id)
    }
    for (const id of ids) this.#changed.delete(id)
    return { owner, ids }
  }

  /** The plans, and those that their steps have started: they are cancelled with the step. */
  async #lookAtThoseOf(owner: string, ids: readonly string[]): Promise<void> {
    const { log } = this.#settings.store
    const query = { owner, concepts: [planConcept.name], status: openPlanStatuses, limit: this.#plansAtOnce }
    try {
      const { nodes } = await log.scan({ ...query, ids })
      await this.#lookAt(
        owner,
        nodes.map((head) => asPlan(head)),
      )
      for await (const child of scanHeads(log, { ...query, parent: ids })) await this.#lookAt(owner, [asPlan(child)])
    } catch (error) {
      for (const id of ids) this.#remember(owner, id)
      throw error
    }
  }

  async #lookAt(owner: string, plans: readonly PlanHead[]): Promise<void> {
    try {
      for (const id of await this.#settings.keeper.plansInNeed(owner, plans)) {
        await this.#settings.pause?.()
        await this.#settings.keeper.lookAtWhole(owner, id)
      }
    } catch (error) {
      for (const { id } of plans) this.#remember(owner, id)
      throw error
    }
  }

  #remember(owner: string, planId: string): void {
    if (this.#changed.size < this.#rememberedPlans || this.#changed.has(planId)) this.#changed.set(planId, owner)
    else this.#nextFullPass = -Infinity
  }
}
