/** Forgets a belief, restores it, or erases an episode. They are stored in the log and have no file. */
import { isNodesError, type Draft, type Head } from '@agentm/nodes'
import { readablePartitions } from '../bound-project.ts'
import type { ForgetOptions, ForgetResult } from '../notes/forget-note.ts'
import type { MemoryContext, MemoryLog } from '../memory-context.ts'
import { NotForgettableError, NoteAbsentError, NotRestorableError, PersonNeededError } from '../memory-errors.ts'
import { beliefReading, episodeReading, turnReading } from './node-readings.ts'
import type { RestoreOptions, RestoreResult } from '../notes/restore-note.ts'

export function isForgettableNode(id: string): boolean {
  return [beliefReading.name, episodeReading.name, turnReading.name].some((concept) => id.startsWith(`${concept}:`))
}

export async function forgetNode(
  context: MemoryContext,
  id: string,
  { purge = false, by }: ForgetOptions,
): Promise<ForgetResult> {
  const { log, head } = await found(context, id)
  const alreadyForgotten = isForgotten(head)
  if (by === 'agent' && (purge || head.payload['provenance'] === 'operator'))
    throw new PersonNeededError(id, purge ? 'erase' : 'forget')
  if (purge) await log.redact(id, { owner: context.owner, actor: context.actor })
  else if (head.concept !== beliefReading.name) throw new NotForgettableError(id)
  else await change(context, { log, id }, (now) => (isForgotten(now) ? undefined : pruned(by)))
  return { id, alreadyForgotten, purged: purge, leftBehind: [] }
}

/** A restored belief counts as confirmed now, because its confidence faded while it was forgotten. */
export async function restoreNode(context: MemoryContext, id: string, { by }: RestoreOptions): Promise<RestoreResult> {
  const { log, head } = await found(context, id)
  if (head.redacted) throw new NotRestorableError(id)
  if (!isForgotten(head)) return { id, restored: false }
  if (by !== 'person' && head.payload['prunedBy'] !== 'agent') throw new PersonNeededError(id, 'restore')
  const lastReinforced = new Date(context.runtime.now()).toISOString()
  await change(context, { log, id }, (now) => (isForgotten(now) ? believedAgain(now, lastReinforced) : undefined))
  return { id, restored: true }
}

function pruned(by: ForgetOptions['by']): Decided {
  const prunedBy = by === 'agent' ? 'agent' : 'operator'
  return { payload: { status: 'pruned', prunedBy }, mutation: 'forgetSemanticMemory' }
}

function believedAgain({ payload }: Head, lastReinforced: string): Decided {
  const confidence = payload['baseConfidence'] ?? payload['confidence']
  return {
    payload: { status: 'active', confidence, lastReinforced },
    unset: ['prunedBy', 'supersededBy'],
    mutation: 'restoreSemanticMemory',
  }
}

function isForgotten({ redacted, status }: Head): boolean {
  return redacted || status === 'pruned'
}

async function found({ log, owner, project }: MemoryContext, id: string) {
  const head = await log?.latest(id, { owner })
  if (log === undefined || head === undefined || !readablePartitions(project).includes(head.partition))
    throw new NoteAbsentError(id)
  return { log, head }
}

type Decided = Pick<Draft, 'payload' | 'mutation' | 'unset'>

/**
 * Repeats the change if other processes write in between. A confirmation that came first does not keep a belief that a person wants
 * to forget.
 */
async function change(
  { owner, actor }: MemoryContext,
  { log, id }: { readonly log: MemoryLog; readonly id: string },
  decide: (now: Head) => Decided | undefined,
): Promise<void> {
  for (;;) {
    const now = await log.latest(id, { owner })
    const decided = now === undefined ? undefined : decide(now)
    if (now === undefined || decided === undefined) return
    const draft = { ...decided, concept: now.concept, id, update: true }
    try {
      await log.append([draft], { owner, actor, expects: { [id]: now.version } })
      return
    } catch (error) {
      if (!isNodesError(error, 'VERSION_CONFLICT')) throw error
    }
  }
}
