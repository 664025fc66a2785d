/** What publishing beliefs needs: the log that they are in, and the store for their notes. */
import type { KeyedStore } from '@agentm/memory'
import type { ConflictCopyOf } from '@agentm/memory/notes'
import type { NodeLog } from '@agentm/nodes'
import type { StorageBackend } from '@agentm/storage-seam'

/** What publishing beliefs needs: the log that they are in, and the store for their notes. */
export interface Publication {
  readonly backend: StorageBackend
  /** The id in the store's marker. Without that marker nothing is concluded from what the store does not hold. */
  readonly storeId: string
  readonly owner: string
  readonly log: NodeLog
  /** The name under which this device publishes its beliefs. */
  readonly deviceId: string
  /** The component that writes to the log (default: `memory`). */
  readonly actor?: string
  /** Where this device keeps what it published last. Without it a deleted file is published again. */
  readonly state?: KeyedStore
  /** Recognises copies that a sync program made. It is called only if the backend declares `conflictFiles`. */
  readonly conflictCopy?: ConflictCopyOf
  /** Epoch milliseconds (default: the clock of this process). */
  readonly now?: () => number
}
