/** Rebuilds what is derived from notes, or from beliefs, from nothing. */
import { Tier } from '@agentm/storage-seam'
import { checkStoreMarker } from '../notes/check-store-marker.ts'
import type { MemoryContext } from '../memory-context.ts'
import { SourceTierError, TierUnavailableError } from '../memory-errors.ts'
import type { NoteIndex, Progress } from './note-index.ts'

export interface ReindexOptions {
  readonly onProgress?: Progress
  /** Told of each note that is there and not in the index: it cannot be read, or is too large. */
  readonly onUnreadable?: (key: string) => void
}

export async function reindexTier(
  context: MemoryContext,
  index: NoteIndex,
  tier: Tier,
  { onProgress, onUnreadable }: ReindexOptions = {},
): Promise<void> {
  if (!tier.derived) throw new SourceTierError()
  // Asked before anything is dropped: of a drive that is not mounted nothing could be built again.
  await checkStoreMarker(context.backend, context.storeId)
  if (tier.value === Tier.SHARED_ABSTRACTS.value) return publish(context)
  await index.clear()
  const { unreadable } = await index.follow(onProgress === undefined ? {} : { onProgress })
  for (const key of unreadable) onUnreadable?.(key)
}

async function publish({ publishBeliefs }: MemoryContext): Promise<void> {
  if (publishBeliefs === undefined)
    throw new TierUnavailableError('shared-abstracts', 'memory was opened without `publishBeliefs`.')
  await publishBeliefs()
}
