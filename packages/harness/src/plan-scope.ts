/**
 * The plans that one worker is limited to, with all plans that their steps start. A worker without a limit runs every plan and has
 * no scope.
 */
import { type Node, type NodeLog, scanHeads } from '@agentm/nodes'
import { asPlan, planIdOf } from './harness-context.ts'
import { plan as planConcept } from './plan.ts'

export class PlanScope {
  readonly #log: Pick<NodeLog, 'scan'>
  readonly #owners: readonly string[]
  readonly #ids = new Set<string>()

  constructor(log: Pick<NodeLog, 'scan'>, owners: readonly string[]) {
    this.#log = log
    this.#owners = owners
  }

  get ids(): readonly string[] {
    return [...this.#ids]
  }

  /** Adds the plan and the plans that its steps have started so far. */
  async add(id: string): Promise<void> {
    const planId = planIdOf(id)
    if (this.#ids.has(planId)) return
    this.#ids.add(planId)
    for (const owner of this.#owners)
      for await (const child of scanHeads(this.#log, { owner, concepts: [planConcept.name], parent: planId }))
        await this.add(child.id)
  }

  /** Notes a plan that was just written. */
  note(node: Node): void {
    const { parentPlanId } = asPlan(node).payload
    if (parentPlanId !== undefined && this.#ids.has(parentPlanId)) this.#ids.add(node.id)
  }
}
