/**
 * A storage backend over text files below one root that other programs write too. Every write takes the root's lock, reads the current
 * file, and renames the new file into place before it releases the lock. Right before the rename it checks the file again, so that a change
 * by a program that takes no lock (an editor, a sync client) is detected and not overwritten.
 */
import type { BigIntStats } from 'node:fs'
import {
  asLocator,
  type Capabilities,
  type Change,
  checkUnchanged,
  ConcurrentModificationError,
  contentHash,
  DeviceFaultError,
  type Info,
  InvalidLocatorError,
  InvalidTextError,
  isSeamError,
  type Listing,
  type Locator,
  NotAFileError,
  NotFoundError,
  OnlineOnlyError,
  StorageBackend,
  storeMarkerKey,
  type WriteOptions,
} from '@agentm/storage-seam'
import { replaceFile } from './atomic-write.ts'
import { ConfinedRoot } from './confined-root.ts'
import { type FilePath, givenPath } from './file-path.ts'
import { DirectoryListing, infoOf } from './directory-listing.ts'
import { errnoOf, isErrno } from './errno.ts'
import { type FileSystem, nodeFileSystem } from './file-system.ts'
import type { Skipped, StandIns } from './list-names.ts'
import { type ChangeOutcome, foldChanges } from './pure/fold-changes.ts'
import { identity } from './pure/liveness.ts'
import type { OpenDirectory } from './open-directory.ts'
import { type PendingBatch, PendingChanges } from './pending-changes.ts'
import { type Removal, removeFile } from './remove-file.ts'
import { nodeRuntime } from './runtime.ts'
import { SeenText } from './seen-text.ts'
import { StoreIdentity } from './store-identity.ts'
import { syncDirectories } from './sync-directories.ts'
import type { Entered, Target } from './target.ts'
import type { Hold } from './lock-queue.ts'
import { type MutexOptions, underLock } from './vault-mutex.ts'

/** Options of a backend over a directory. */
export interface DirectoryOptions extends Omit<MutexOptions, 'within' | 'signal'> {
  /** The id the store must have. Without it, the first id that is read is expected from then on. */
  readonly storeId?: string
  /** Directories outside the root that symbolic links in the root may lead to. */
  readonly allowLinks?: readonly FilePath[]
  /** Directories below the root that are not part of it. */
  readonly exclude?: readonly FilePath[]
  /** If false, neither the root nor anything below it may be a symbolic link (default: true). */
  readonly followLinks?: boolean
  /** Takes the lock of this root instead, if two directories share one lock. */
  readonly lockFor?: FilePath
  /** Called with every name that `list` leaves out because it cannot be a key. */
  readonly onSkipped?: (skipped: Skipped) => void
  /** The names of placeholder files, which a sync program keeps for content that is only in the cloud. */
  readonly standIns?: StandIns
  /** Refuses to create the root if its parent is absent too, as on a drive that is not mounted. */
  readonly parentMustExist?: boolean
  /** If the root has to be created, only its owner can read it and the directories created on the way to it. */
  readonly privateRoot?: boolean
}

/** What a removal needs to know. */
interface Meant {
  readonly present: BigIntStats
  readonly ifHash: string | undefined
  readonly hold: Hold
}

/** The content at the time when the new text was computed. */
interface Before {
  readonly seen: SeenText | undefined
}

/** What a replacement of a text needs. */
interface Replacing {
  readonly hold: Hold
  /** Receives the disk sync that may finish after the lock is released. */
  readonly later: (synced: Promise<void>) => void
  readonly before?: Before
}

/** How often an update is retried when a program without the lock changes the file first. */
const updateRounds = 8

/**
 * The base class of backends over text files below one root that other programs write too. Every write holds the root's lock, and
 * checks right before the rename that the file was not changed.
 *
 * @example
 * ```ts
 * import { Capabilities } from '@agentm/storage-seam'
 * import { DirectoryBackend } from '@agentm/vault-lock'
 *
 * class Notebook extends DirectoryBackend {
 *   override readonly capabilities = new Capabilities({ concurrentWriters: true, conditionalWrite: true, removal: true })
 * }
 * const notebook = new Notebook('/srv/notebook')
 * ```
 */
export abstract class DirectoryBackend extends StorageBackend {
  abstract override readonly capabilities: Capabilities
  readonly #root: FilePath
  readonly #confined: ConfinedRoot
  readonly #fs: FileSystem
  readonly #options: DirectoryOptions
  readonly #identity: StoreIdentity
  readonly #listing: DirectoryListing
  readonly #pending = new PendingChanges()

  constructor(given: string, options: DirectoryOptions = {}) {
    super()
    const root = givenPath(given)
    this.#root = root
    this.#fs = options.fs ?? nodeFileSystem
    this.#options = options
    this.#confined = new ConfinedRoot(root, this.#fs, {
      allowLinks: options.allowLinks ?? [],
      exclude: options.exclude ?? [],
      followLinks: options.followLinks ?? true,
      ...(options.privateRoot === true ? { rootMode: 0o700 } : {}),
    })
    this.#identity = new StoreIdentity(root, this.#confined, this.#fs, {
      id: options.storeId,
      parentMustExist: options.parentMustExist ?? false,
    })
    this.#listing = new DirectoryListing(
      { fs: this.#fs, confined: this.#confined, identity: this.#identity, info: async (at) => this.info(at) },
      options,
    )
  }

  override async read(at: Locator): Promise<string> {
    const place = this.#placeAt(at)
    const text = await answered(place, this.#current(place))
    if (text === undefined) throw new NotFoundError(place)
    return text
  }

  override async write(at: Locator, text: string, { ifHash }: WriteOptions = {}): Promise<Locator> {
    const place = this.#fileAt(at)
    if (!text.isWellFormed()) throw new InvalidTextError(`the text for ${JSON.stringify(place.key)}`)
    const writing = this.#replacing(async (under) => {
      if (ifHash === undefined) return this.#replace(place, text, under)
      await this.#seeing(place, async (seen) => {
        checkUnchanged(place, seen?.text, ifHash)
        await this.#replace(place, text, { ...under, before: { seen } })
      })
    })
    await answered(place, writing)
    return place
  }

  /** Queued changes of one key are combined into one durable write. */
  override async update(at: Locator, change: Change): Promise<string | undefined> {
    const place = this.#fileAt(at)
    return this.#pending.add(place.key, change, async (batch) => {
      const changing = this.#replacing((under) => this.#changed(place, batch, under))
      batch.settle(await answered(place, changing))
    })
  }

  override async remove(at: Locator, { ifHash }: { readonly ifHash?: string } = {}): Promise<void> {
    const place = this.#fileAt(at)
    const removing = this.#locked((hold) => this.#removed(place, ifHash, hold))
    await answered(place, removing)
  }

  override async list(at: Locator): Promise<Locator[]> {
    const place = this.#placeAt(at)
    return answered(place, this.#listing.children(place))
  }

  /** Follows symbolic links once for the directory itself. For its entries, only links are resolved. */
  override async listInfo(
    at: Locator,
    { enough = () => false }: { readonly enough?: () => boolean } = {},
  ): Promise<Listing> {
    const place = this.#placeAt(at)
    return answered(place, this.#listing.infos(place, enough))
  }

  override async exists(at: Locator): Promise<boolean> {
    const place = this.#placeAt(at)
    return answered(place, this.#isThere(place))
  }

  async #isThere(place: Locator): Promise<boolean> {
    if ((await this.#confined.find(place)) !== undefined || (await this.#isOnlineOnly(place))) return true
    await this.#identity.check({ found: false })
    return false
  }

  override async info(at: Locator): Promise<Info> {
    const place = this.#placeAt(at)
    return answered(place, this.#look(place))
  }

  async #look(place: Locator): Promise<Info> {
    const found = await this.#confined.find(place)
    if (found === undefined) throw await this.#absent(place)
    return infoOf(place, found.stats)
  }

  override async mkdir(at: Locator): Promise<Locator> {
    const place = this.#placeAt(at)
    const making = this.#locked(async () => {
      const folder = await this.#confined.folder(place)
      await this.#entering(folder, nothing, async ({ directory, made }) => {
        if (made !== undefined) await syncDirectories(directory.path, made, this.#fs)
        await this.#confined.confirmKey(place)
      })
    })
    await answered(place, making)
    return place
  }

  #locked<T>(work: (hold: Hold) => Promise<T>): Promise<T> {
    return underLock(this.#options.lockFor ?? this.#root, work, this.#options)
  }

  /** Waits for the disk sync of the new name only after the lock is released, because other processes may write meanwhile. */
  async #replacing<T>(work: (under: Replacing) => Promise<T>): Promise<T> {
    const synced: Promise<void>[] = []
    const later = (step: Promise<void>): void => {
      // The failure is reported below, but perhaps in a later turn of the event loop; without this line it would count as unhandled.
      step.catch(nothing)
      synced.push(step)
    }
    const value = await this.#locked((hold) => work({ hold, later }))
    await Promise.all(synced)
    return value
  }

  /** The name of a placeholder file is not a key, because `list` shows it under the name of the file it replaces. */
  #placeAt(at: Locator): Locator {
    const place = asLocator(at)
    const { standIns } = this.#options
    if (standIns !== undefined && place.parts.some((segment) => standIns.original(segment) !== undefined))
      throw new InvalidLocatorError(
        place.key,
        'a sync program gives such a name to what it keeps online only. Choose another name',
      )
    return place
  }

  #fileAt(at: Locator): Locator {
    const place = this.#placeAt(at)
    if (place.key === '') throw new NotAFileError(place, 'a directory; name a file below it')
    return place
  }

  /** The current text; `undefined` only if the store is available and this file is absent. */
  async #current(at: Locator): Promise<string | undefined> {
    return this.#seeing(at, async (seen) => seen?.text)
  }

  async #seeing<T>(at: Locator, work: (seen: SeenText | undefined) => Promise<T>): Promise<T> {
    const seen = await this.#see(at)
    try {
      return await work(seen)
    } finally {
      await seen?.close()
    }
  }

  async #see(at: Locator): Promise<SeenText | undefined> {
    const seen = await this.#seeFile(at)
    if (seen !== undefined) return seen
    const refusal = await this.#absent(at)
    if (isSeamError(refusal, 'NOT_FOUND')) return undefined
    throw refusal
  }

  async #seeFile(at: Locator): Promise<SeenText | undefined> {
    try {
      const opened = await this.#confined.open(at)
      return opened === undefined ? undefined : await SeenText.read(opened, at, this.#fs)
    } catch (error) {
      // macOS answers EDEADLK for a file whose content it would have to download first.
      if (isErrno(error, 'EDEADLK')) throw new OnlineOnlyError(at, { cause: error })
      throw error
    }
  }

  /** The error for a place where nothing was found: the file is absent, it is only in the cloud, or the whole store is unavailable. */
  async #absent(at: Locator): Promise<Error> {
    if (await this.#isOnlineOnly(at)) return new OnlineOnlyError(at)
    await this.#identity.check({ found: false })
    return new NotFoundError(at)
  }

  async #isOnlineOnly(at: Locator): Promise<boolean> {
    if (at.key === '') return false
    for (const name of this.#options.standIns?.of(at.name) ?? [])
      if (await this.#isStandIn(at.parent.child(name))) return true
    return false
  }

  async #isStandIn(at: Locator): Promise<boolean> {
    try {
      return (await this.#confined.find(at)) !== undefined
    } catch (error) {
      // The name of the placeholder would be longer than this disk allows, so there is no placeholder.
      if (isSeamError(error, 'INVALID_LOCATOR')) return false
      throw error
    }
  }

  /**
   * Runs `work` in the directory of the target. The directory is created only after the store was found available and `refuse` did not
   * throw.
   */
  async #entering<T>(target: Target, refuse: () => Promise<void>, work: (entered: Entered) => Promise<T>): Promise<T> {
    try {
      await this.#identity.check({ found: target.present !== undefined })
      await refuse()
      return await work(await target.enter())
    } finally {
      await target.close()
    }
  }

  async #changed(at: Locator, batch: PendingBatch, under: Replacing): Promise<readonly ChangeOutcome[]> {
    for (let round = 1; ; round++) {
      try {
        return await this.#seeing(at, async (seen) => {
          const { text, outcomes } = foldChanges(seen?.text, batch.take())
          if (text !== undefined && text !== seen?.text) await this.#replace(at, text, { ...under, before: { seen } })
          return outcomes
        })
      } catch (error) {
        if (!isSeamError(error, 'CONCURRENT_MODIFICATION') || round >= updateRounds) throw error
      }
    }
  }

  async #removed(at: Locator, ifHash: string | undefined, hold: Hold): Promise<void> {
    for (let round = 1; round <= updateRounds; round++) {
      const current = await this.#current(at)
      if (current === undefined) throw new NotFoundError(at)
      checkUnchanged(at, current, ifHash)
      // Removes the symbolic link itself, not the file it points to.
      const target = await this.#confined.target(at, { isLinkMeant: true })
      const { present } = target
      if (present === undefined) await target.close()
      else if (
        await this.#entering(target, nothing, ({ directory }) =>
          this.#removedFrom(directory, at, { present, ifHash, hold }),
        )
      )
        return
    }
    const last = await this.#current(at)
    throw new ConcurrentModificationError(at, ifHash ?? null, last === undefined ? null : contentHash(last))
  }

  async #removedFrom(directory: OpenDirectory, at: Locator, { present, ifHash, hold }: Meant): Promise<boolean> {
    const removal: Removal = {
      hold,
      confirm: async () => {
        if (ifHash !== undefined) checkUnchanged(at, await this.#current(at), ifHash)
      },
      isMeant: async (moved) => {
        const now = await this.#fs.lstat(moved)
        if (identity(now) !== identity(present) || now.size !== present.size) return false
        return ifHash === undefined || !now.isFile() || contentHash(await this.#fs.readFile(moved)) === ifHash
      },
    }
    const { runtime = nodeRuntime } = this.#options
    return removeFile(directory, at.name, removal, { fs: this.#fs, runtime })
  }

  /**
   * With `before`, replaces the file only if it still has that content, or is still absent. This is checked last, right before the rename.
   * Starts over if a directory on the way was moved or removed meanwhile.
   */
  async #replace(at: Locator, text: string, replacing: Replacing): Promise<void> {
    for (let round = 1; ; round++) {
      try {
        return await this.#replaceOnce(at, text, replacing)
      } catch (error) {
        if (isErrno(error, 'NOT_REPLACEABLE'))
          throw new NotAFileError(at, 'a directory, or no plain file', { cause: error })
        if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP') || round >= updateRounds) throw error
      }
    }
  }

  async #replaceOnce(at: Locator, text: string, { hold, later, before }: Replacing): Promise<void> {
    const target = await this.#confined.target(at)
    const { present, name } = target
    const refuse = async () => {
      if (present?.isFile() === false) throw new NotAFileError(at, 'a directory, or no plain file')
      if (present === undefined && (await this.#isOnlineOnly(at))) throw new OnlineOnlyError(at)
    }
    await this.#entering(target, refuse, async ({ directory, made }) => {
      if (at.key === storeMarkerKey) this.#identity.lookAgain()
      const place = directory.at(name)
      const confirm = before === undefined ? undefined : async () => this.#confirm(at, place, before.seen)
      await replaceFile({ directory, name, made }, Buffer.from(text), {
        ...this.#options,
        hold,
        later,
        ...(confirm === undefined ? {} : { confirm, isNew: before?.seen === undefined }),
        ...(present === undefined ? {} : { mode: Number(present.mode) & 0o777 }),
      })
      if (present === undefined) await this.#confined.confirmKey(at)
    })
  }

  /** Another file with the same text is accepted, because some programs save a file without changing it. */
  async #confirm(at: Locator, place: FilePath, seen: SeenText | undefined): Promise<void> {
    if (seen !== undefined && (await seen.isAt(place))) return
    checkUnchanged(at, await this.#current(at), seen === undefined ? null : contentHash(seen.text))
  }
}

async function nothing(): Promise<void> {}

/** Translates faults of the machine into errors that say what to do. Other errors pass through. */
async function answered<T>(at: Locator, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const fault = errnoOf(error)
    throw fault === undefined ? error : new DeviceFaultError(at, fault, { cause: error })
  }
}
