/** Keeps derived tiers in step with the source. Dropping a derived tier and rebuilding it gives the same answers. */
import type { Locator } from './locator.ts'
import type { Tier } from './tier.ts'

/** What a backend offers when it derives something from its notes: a way to rebuild it. */
export interface DerivedMaintenance {
  /** Rebuilds a derived tier from nothing; refuses `Tier.SOURCE`. */
  reindex(tier: Tier): Promise<void>
  /** Source locators that may have changed after `mtime` (epoch seconds). */
  changedSince(mtime: number): Promise<Locator[]>
}
