/** The plans of one goal, in order. Their ids are derived from the goal, so two processes that plan it at once use the same id. */
import { deriveId } from '@agentm/nodes'
import type { HarnessContext, PlanHead } from '@agentm/harness'
import { asPlan, planName } from '@agentm/harness/planning'

export interface GoalChain {
  readonly newest: PlanHead | undefined
  /** The id of the next plan. */
  readonly nextId: string
}

const batch = 32

export async function goalChain(
  { store, owner }: HarnessContext,
  { goal, partition }: { readonly goal: string; readonly partition: string },
): Promise<GoalChain> {
  const idAt = (n: number) => deriveId(planName, owner, partition, goal, String(n))
  let newest: PlanHead | undefined
  for (let from = 0; ; from += batch) {
    const ids = Array.from({ length: batch }, (_, i) => idAt(from + i))
    const { nodes } = await store.log.scan({ owner, ids })
    const found = new Map(nodes.map((head) => [head.id, asPlan(head)]))
    for (const id of ids) {
      const plan = found.get(id)
      if (plan === undefined) return { newest, nextId: id }
      newest = plan
    }
  }
}
