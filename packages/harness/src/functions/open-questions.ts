/** The questions that durable functions ask. Each is an entry of its function, so it is there as soon as it was asked. */
import type { Answer, Question } from '@agentm/agent-loop'
import { type NodeLog, scanAll } from '@agentm/nodes'
import { entryName } from '../pure/concept-names.ts'
import { asEntry } from './node-function-log.ts'

/** What can be answered now, by step, in the order in which it was asked. */
export async function openQuestions(
  log: Pick<NodeLog, 'scan'>,
  { owner, stepIds }: { readonly owner: string; readonly stepIds: readonly string[] },
): Promise<ReadonlyMap<string, readonly Question[]>> {
  const asked = new Map<string, Question[]>()
  if (stepIds.length === 0) return asked
  const query = { owner, parent: stepIds, concepts: [entryName], status: 'asking' }
  for (const node of await scanAll(log, query)) {
    const { stepId, question } = asEntry(node)
    if (question !== undefined) asked.set(stepId, [...(asked.get(stepId) ?? []), question])
  }
  return asked
}

/** The answers to the questions of a function, by question id, in the order in which they were given. */
export async function answersTo(
  log: Pick<NodeLog, 'scan'>,
  { owner, stepId }: { readonly owner: string; readonly stepId: string },
): Promise<Readonly<Record<string, Answer>>> {
  const entries = (await scanAll(log, { owner, parent: stepId, concepts: [entryName] })).map(asEntry)
  const given = entries.flatMap(({ question, answer }) => (question && answer ? [[question.id, answer] as const] : []))
  return Object.fromEntries(given.toSorted(([, a], [, b]) => a.at - b.at))
}
