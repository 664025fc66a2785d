/** Where each tier has its root. Only computes places and creates nothing. */
import { TierLayoutError } from './errors.ts'
import { Locator } from './locator.ts'
import { Tier } from './tier.ts'

/**
 * The root of each tier of a store: notes, shared abstracts and the local index. The constructor creates nothing on disk.
 *
 * @example
 * ```ts
 * import { Locator, TierLayout } from '@agentm/storage-seam'
 *
 * const layout = new TierLayout({ sharedAbstracts: new Locator('beliefs') })
 * console.log(layout.sharedAbstracts.key) // beliefs
 * ```
 */
export class TierLayout {
  readonly source: Locator
  readonly sharedAbstracts: Locator
  readonly localIndex: Locator

  constructor(
    roots: { readonly source?: Locator; readonly sharedAbstracts?: Locator; readonly localIndex?: Locator } = {},
  ) {
    this.source = roots.source ?? new Locator(Tier.SOURCE.value)
    this.sharedAbstracts = roots.sharedAbstracts ?? new Locator(Tier.SHARED_ABSTRACTS.value)
    this.localIndex = roots.localIndex ?? new Locator(Tier.LOCAL_INDEX.value)
    refuseCollision(this)
    refuseReplicatedIndex(this)
    Object.freeze(this)
  }

  /** The one directory tree that no sync program may replicate. */
  get neverSyncRoot(): Locator {
    return this.localIndex
  }

  rootFor(tier: Tier): Locator {
    return { source: this.source, 'shared-abstracts': this.sharedAbstracts, 'local-index': this.localIndex }[tier.value]
  }
}

function refuseCollision({ source, sharedAbstracts, localIndex }: TierLayout): void {
  const keys = [source, sharedAbstracts, localIndex].map((root) => root.key)
  const twice = keys.find((key, i) => keys.indexOf(key) !== i)
  if (twice !== undefined)
    throw new TierLayoutError(
      `two tiers share the root ${JSON.stringify(twice)}; one would overwrite the other. Give each its own.`,
    )
}

function refuseReplicatedIndex({ source, sharedAbstracts, localIndex }: TierLayout): void {
  const outer = [source, sharedAbstracts].find((root) => root.contains(localIndex))
  if (outer !== undefined)
    throw new TierLayoutError(
      `the local index at ${JSON.stringify(localIndex.key)} lies inside the synced root ${JSON.stringify(outer.key)}; ` +
        'a replicated database file is corrupt. Move it out.',
    )
}
