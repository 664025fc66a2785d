/** The surroundings of routing, in one argument. */
import type { BackendRegistry, StorageBackend } from '@agentm/storage-seam'
import type { SelectionWorld } from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'

/** The surroundings of routing. Tests pass their own. */
export interface RoutingWorld {
  readonly selection: SelectionWorld
  /** The registered backends (default: those of the process). */
  readonly registry?: BackendRegistry
  /** The selected backend, for a program that has already selected it (default: it is selected here). */
  readonly backend?: () => Promise<StorageBackend>
  /** Opens a backend of plain files with this root, for state that stays in the checkout. Opening changes nothing on disk. */
  readonly openLocal: (root: FilePath) => StorageBackend
  /** The address that a checkout was cloned from (default: git is asked). */
  readonly originUrl?: (root: FilePath) => Promise<string | undefined>
}
