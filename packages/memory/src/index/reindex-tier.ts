/** Rebuilds the data that is derived from notes or from beliefs. */
import { Tier } from '@agentm/storage-seam'
import { checkStoreMarker } from '../notes/check-store-marker.ts'
import type { MemoryContext } from '../memory-context.ts'
import { SourceTierError, TierUnavailableError } from '../memory-errors.ts'
import type { NoteIndex, Progress } from './note-index.ts'

export interface ReindexOptions {
  readonly onProgress?: Progress
  /** Called for each note that exists but is not in the index because it cannot be read or is too large. */
  readonly onUnreadable?: (key: string) => void
}

export async function reindexTier(
  context: MemoryContext,
  index: NoteIndex,
  tier: Tier,
  { onProgress, onUnreadable }: ReindexOptions = {},
): Promise<void> {
  if (!tier.derived) throw new SourceTierError()
  // Checked before any data is deleted, because nothing could be rebuilt from a drive that is not mounted.
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
