/** The entries of one directory of a store: their names, and what is known about each without opening it. */
import type { BigIntStats } from 'node:fs'
import { type Info, isSeamError, type ListedInfo, type Listing, type Locator } from '@agentm/storage-seam'
import type { ConfinedRoot } from './confined-root.ts'
import type { FileSystem } from './file-system.ts'
import { isToldOf, KnownListings } from './known-listings.ts'
import { listNames, type Skipped, type StandIns } from './list-names.ts'
import type { OpenDirectory } from './open-directory.ts'
import type { StoreIdentity } from './store-identity.ts'
import { wayToDirectory } from './way-to-directory.ts'

export interface ListedStore {
  readonly fs: FileSystem
  readonly confined: ConfinedRoot
  readonly identity: StoreIdentity
  /** The info of one place, including every refusal. */
  readonly info: (at: Locator) => Promise<Info>
}

export interface ListingOptions {
  /** A file system other than the real one. Then no change is reported, so no listing is cached. */
  readonly fs?: FileSystem
  readonly standIns?: StandIns
  readonly onSkipped?: (skipped: Skipped) => void
}

/** The entries found so far, and whether all of them are plain: none was left out, none is a link, and none has a second name. */
interface Listed {
  readonly found: ListedInfo[]
  isWhole: boolean
}

/** Number of entries between two calls of `enough`. */
const lookedAtOnce = 512
/** From this number of names on, looking them up by path pays for checking the way to them. */
const worthAPath = 64

export class DirectoryListing {
  readonly #store: ListedStore
  readonly #options: ListingOptions
  readonly #known: KnownListings | undefined

  constructor(store: ListedStore, options: ListingOptions) {
    this.#store = store
    this.#options = options
    this.#known = options.fs === undefined ? new KnownListings() : undefined
  }

  async children(place: Locator): Promise<Locator[]> {
    const directory = await this.#store.confined.directory(place)
    try {
      return await this.#childrenIn(directory, place)
    } finally {
      await directory?.close()
    }
  }

  async infos(place: Locator, enough: () => boolean): Promise<Listing> {
    const directory = await this.#store.confined.directory(place)
    if (directory === undefined) {
      await this.#childrenIn(directory, place)
      return { children: [] }
    }
    try {
      return (await this.#remembered(directory)) ?? (await this.#looked(directory, place, enough))
    } finally {
      await directory.close()
    }
  }

  async #looked(directory: OpenDirectory, place: Locator, enough: () => boolean): Promise<Listing> {
    const look = await this.#known?.begin(directory.path)
    const listed: Listed = { found: [], isWhole: true }
    const locators = await this.#childrenIn(directory, place, (skipped) => {
      listed.isWhole = false
      this.#options.onSkipped?.(skipped)
    })
    for (let i = 0; i < locators.length; i += lookedAtOnce) {
      if (enough()) return { children: listed.found }
      await this.#infosIn(directory, locators.slice(i, i + lookedAtOnce), listed)
    }
    const isKept = look !== undefined && listed.isWhole && listed.found.length > 0
    const revision = isKept ? this.#known?.keep(look, listed.found) : undefined
    return { children: listed.found, ...(revision === undefined ? {} : { revision }) }
  }

  async #childrenIn(
    directory: OpenDirectory | undefined,
    place: Locator,
    onSkipped?: (skipped: Skipped) => void,
  ): Promise<Locator[]> {
    const { fs, identity } = this.#store
    const options = { ...this.#options, fs, ...(onSkipped === undefined ? {} : { onSkipped }) }
    const names = directory === undefined ? [] : await listNames(directory.self, place, options)
    if (names.length === 0) await identity.check({ found: false })
    return names.map((name) => place.child(name))
  }

  async #infosIn(directory: OpenDirectory, locators: readonly Locator[], listed: Listed): Promise<void> {
    const { confined } = this.#store
    const stats = await this.#statsIn(
      directory,
      locators.map(({ name }) => name),
    )
    for (const [i, locator] of locators.entries()) {
      const there = stats[i]
      // An entry that is not a link is in the store, because its directory is. A link or a placeholder is checked separately.
      const isPlain = there !== undefined && (there.isFile() || there.isDirectory()) && !confined.isParted
      const info = isPlain ? infoOf(locator, there) : await this.#infoIfPresent(locator)
      if (info !== undefined) listed.found.push(info)
      if (!isPlain || !isToldOf(there)) listed.isWhole = false
    }
  }

  /** By path as long as that certainly leads to the open directory, because it is quicker. */
  async #statsIn(directory: OpenDirectory, names: readonly string[]): Promise<readonly (BigIntStats | undefined)[]> {
    const { fs, confined } = this.#store
    const wayNow = async () => wayToDirectory(directory, confined.knownRoot, fs)
    const way = names.length < worthAPath ? undefined : await wayNow()
    if (way !== undefined) {
      const stats = await fs.lstatAll(names.map((name) => `${directory.path}/${name}`))
      if ((await wayNow()) === way) return stats
    }
    return fs.lstatAll(names.map((name) => directory.at(name)))
  }

  /**
   * Subdirectories are checked each time, because a change inside one changes its times and is not reported to whoever watches the parent.
   */
  async #remembered(directory: OpenDirectory): Promise<Listing | undefined> {
    const remembered = await this.#known?.find(directory.path)
    if (remembered === undefined) return undefined
    const { listing, revision, edited } = remembered
    const files = edited.size === 0 ? [] : listing.filter(({ locator }) => edited.has(locator.name))
    if (files.length < edited.size) return undefined
    const before = [...files, ...listing.filter((info) => 'isDir' in info && info.isDir && !files.includes(info))]
    const listed: Listed = { found: [], isWhole: true }
    await this.#infosIn(
      directory,
      before.map(({ locator }) => locator),
      listed,
    )
    if (!listed.isWhole || listed.found.length < before.length) return undefined
    const now = new Map(listed.found.map((info) => [info.locator.key, info]))
    this.#known?.correct(remembered, now)
    const isSame = before.every((info) => revisionOf(now.get(info.locator.key)) === revisionOf(info))
    if (isSame) return { children: listing, revision }
    return { children: listing.map((info) => now.get(info.locator.key) ?? info) }
  }

  async #infoIfPresent(at: Locator): Promise<ListedInfo | undefined> {
    try {
      return await this.#store.info(at)
    } catch (error) {
      if (isSeamError(error, 'NOT_FOUND')) return undefined
      if (isSeamError(error)) return { locator: at, refusal: error }
      throw error
    }
  }
}

function revisionOf(info: ListedInfo | undefined): string | undefined {
  return info !== undefined && 'revision' in info ? info.revision : undefined
}

export function infoOf(locator: Locator, stats: BigIntStats): Info {
  const isDir = stats.isDirectory()
  const revision = `${stats.ino}-${stats.ctimeNs}-${stats.mtimeNs}-${stats.size}`
  return { locator, isDir, size: isDir ? 0 : Number(stats.size), mtime: Number(stats.mtimeNs) / 1e9, revision }
}
