/** Forgets a belief, or erases an episode: what has no file lives in the log. */
import { isNodesError, type NodeLog } from '@agentm/nodes'
import { readablePartitions } from './bound-project.ts'
import type { ForgetOptions, ForgetResult } from './forget-note.ts'
import type { MemoryContext } from './memory-context.ts'
import { NotForgettableError, NoteAbsentError } from './memory-errors.ts'
import { observation } from './observation.ts'
import { semanticMemory } from './semantic-memory.ts'

export function isForgettableNode(id: string): boolean {
  return [semanticMemory.name, observation.name].some((concept) => id.startsWith(`${concept}:`))
}

export async function forgetNode(
  context: MemoryContext,
  id: string,
  { purge = false }: ForgetOptions,
): Promise<ForgetResult> {
  const { log, owner, actor } = context
  const head = await log?.latest(id, { owner })
  if (log === undefined || head === undefined || !readablePartitions(context.project).includes(head.partition))
    throw new NoteAbsentError(id)
  const alreadyForgotten = head.redacted || head.status === 'pruned'
  if (purge) await log.redact(id, { owner, actor })
  else if (head.concept !== semanticMemory.name) throw new NotForgettableError(id)
  else if (!alreadyForgotten) await prune(log, id, context)
  return { id, alreadyForgotten, purged: purge, leftBehind: [] }
}

/** Says so whatever was written in between: a confirmation that came first does not keep what a person wants gone. */
async function prune(log: NodeLog, id: string, { owner, actor }: MemoryContext): Promise<void> {
  for (;;) {
    const head = await log.latest(id, { owner })
    if (head === undefined) return
    const draft = {
      concept: semanticMemory.name,
      id,
      payload: { status: 'pruned', prunedBy: 'operator' },
      mutation: 'forgetSemanticMemory',
      update: true,
    }
    try {
      await log.append([draft], { owner, actor, expects: { [id]: head.version } })
      return
    } catch (error) {
      if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
    }
  }
}
