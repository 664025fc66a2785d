/**
 * The reference for derived tiers: shared abstracts hold one line per source note, made from the source and from
 * nothing else, so that dropping and rebuilding them gives the same bytes.
 */
import { contentHash, type DerivedMaintenance, type Locator, Tier, TierLayout } from '@agentm/storage-seam'
import { InMemoryBackend } from './in-memory-backend.ts'
import { textsBelow } from './texts-below.ts'

/**
 * The reference for backends that derive something from their notes.
 *
 * @example
 * ```ts
 * import { InMemoryDerivedBackend } from '@agentm/conformance'
 *
 * console.log(new InMemoryDerivedBackend().derivedMaintenance !== undefined) // true
 * ```
 */
export class InMemoryDerivedBackend extends InMemoryBackend {
  readonly #layout: TierLayout

  constructor({
    layout = new TierLayout(),
    ...rest
  }: { readonly layout?: TierLayout; readonly now?: () => number } = {}) {
    super(rest)
    this.#layout = layout
  }

  override get derivedMaintenance(): DerivedMaintenance {
    return {
      reindex: async (tier) => this.#reindex(tier),
      changedSince: async (mtime) => this.#changedSince(mtime),
    }
  }

  async #reindex(tier: Tier): Promise<void> {
    if (!tier.derived) throw new TypeError(`${tier.value} is the truth; there is nothing to rebuild it from`)
    const root = this.#layout.rootFor(tier)
    for (const at of (await textsBelow(this, root)).keys()) await this.remove(this.resolve(at))
    const notes = await textsBelow(this, this.#layout.source)
    const lines = [...notes].map(([key, text]) => `${contentHash(text)} ${key}\n`)
    await this.write(root.child('abstracts.txt'), lines.join(''))
  }

  async #changedSince(mtime: number): Promise<Locator[]> {
    const places = [...(await textsBelow(this, this.#layout.source)).keys()].map((key) => this.resolve(key))
    const infos = await Promise.all(places.map(async (at) => this.info(at)))
    return infos.filter((info) => info.mtime > mtime).map(({ locator }) => locator)
  }
}
