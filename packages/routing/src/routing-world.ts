/** What routing takes from outside, in one argument. */
import type { BackendRegistry, StorageBackend } from '@agentm/storage-seam'
import type { SelectionWorld } from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'

/** What routing takes from its surroundings. Tests pass their own. */
export interface RoutingWorld {
  readonly selection: SelectionWorld
  /** The backends known without searching; that of the process where it is absent. */
  readonly registry?: BackendRegistry
  /** The configured backend, for a program that has selected it already (default: it is selected here). */
  readonly backend?: () => Promise<StorageBackend>
  /** A backend of plain files rooted here, for state that stays with the checkout. Opening changes nothing on disk. */
  readonly openLocal: (root: FilePath) => StorageBackend
  /** Where a checkout was cloned from; asks git where it is absent. */
  readonly originUrl?: (root: FilePath) => Promise<string | undefined>
}
