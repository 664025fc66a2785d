/** Keeps derived tiers up to date with the source. Deleting a derived tier and rebuilding it gives the same answers. */
import type { Locator } from './locator.ts'
import type { Tier } from './tier.ts'

/** What a backend provides if it derives data from its notes: a way to rebuild that data. */
export interface DerivedMaintenance {
  /** Rebuilds a derived tier from the source. Throws for `Tier.SOURCE`. */
  reindex(tier: Tier): Promise<void>
  /** Source locators that may have changed after `mtime` (epoch seconds). */
  changedSince(mtime: number): Promise<Locator[]>
}
