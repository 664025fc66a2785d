/** Reads the questions of durable functions. Each is an entry of its function, beside the steps of the plan. */
import { type Node, scanAll } from '@agentm/nodes'
import type { PlansReader } from '@agentm/workspace/reader'
import type { Ask } from '../contract/plans.ts'
import { textIn } from '../pure/fields.ts'
import { asksOfFunction } from './pure/asks-in.ts'

type Log = Pick<PlansReader, 'log' | 'owner'>

const openStatuses = ['open', 'running']

/** What functions ask now, over all plans. */
export async function asksOfFunctions({ log, owner }: Log): Promise<readonly Ask[]> {
  const entries = await scanAll(log, { owner, concepts: ['v1:harness:entry'], status: 'asking' })
  if (entries.length === 0) return []
  const steps = await scanAll(log, { owner, ids: named(entries, 'stepId') })
  const open = await scanAll(log, { owner, ids: named(steps, 'planId'), status: openStatuses })
  const openIds = new Set(open.map(({ id }) => id))
  return steps
    .filter(({ payload }) => openIds.has(textIn(payload, 'planId') ?? ''))
    .flatMap((step) =>
      asksOfFunction(
        step,
        entries.filter(({ payload }) => payload['stepId'] === step.id),
      ),
    )
}

/** Everything that the function of this step has asked a person. Steps that are no functions have no entries. */
export async function entriesThatAsk({ log, owner }: Log, step: Node): Promise<readonly Node[]> {
  if (textIn(step.payload, 'kind')?.startsWith('function:') !== true) return []
  const entries = await scanAll(log, { owner, concepts: ['v1:harness:entry'], parent: step.id })
  return entries.filter(({ payload }) => payload['question'] !== undefined)
}

export function isPlanOpen(plan: Pick<Node, 'status'> | undefined): boolean {
  return openStatuses.includes(plan?.status ?? '')
}

function named(nodes: readonly Node[], field: string): readonly string[] {
  return [...new Set(nodes.map(({ payload }) => textIn(payload, field) ?? ''))]
}
