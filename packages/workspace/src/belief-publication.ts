/** Published beliefs over the parts of a workspace: those of one owner, in the configured store, under the name of this device. */
import type { Publication } from '@agentm/learning'
import { conflictCopy } from '@agentm/storage-seam'
import { deviceId } from './device-state.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

export async function beliefPublication(parts: WorkspaceParts, owner: string): Promise<Publication> {
  const [{ backend, storeId }, { log }] = [await parts.storage(), await parts.log()]
  return { backend, storeId, owner, log, deviceId: await deviceId(parts.world), state: parts.state, conflictCopy }
}

/** Writes the notes of beliefs again. A note that somebody deleted stays away. Loaded when it is asked for, so that a save does not wait for it. */
export async function publishAgain(parts: WorkspaceParts, owner: string): Promise<void> {
  const { syncBeliefs } = await import('@agentm/learning')
  await syncBeliefs(await beliefPublication(parts, owner))
}
