/** The steps of a plan in the order in which they were written, which is that of the plan file. */
import { type Node, scanAll } from '@agentm/nodes'
import { asStep, type HarnessContext } from '../harness-context.ts'
import { stepName } from '../pure/concept-names.ts'
import type { Step } from '../step.ts'

/** The newest version of each. */
export async function stepsAsWritten({ store, owner }: HarnessContext, planId: string): Promise<readonly Node<Step>[]> {
  const query = { owner, parent: planId, concepts: [stepName] }
  const heads = await scanAll(store.log, query)
  const first = new Map<string, number>()
  let cursor: string | undefined
  do {
    // The first versions of a plan stand close together, so most of its later ones are never read.
    const page = await store.log.scan({
      ...query,
      versions: 'all',
      limit: 1000,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { id, seq } of page.nodes) if (!first.has(id)) first.set(id, seq)
    cursor = first.size < heads.length ? page.cursor : undefined
  } while (cursor !== undefined)
  return heads.map((head) => asStep(head)).toSorted((a, b) => (first.get(a.id) ?? 0) - (first.get(b.id) ?? 0))
}
