/**
 * The contract of a storage backend for text. Seven verbs are required. The verbs below them are optional, and throw with the name of the
 * capability if a backend does not declare it. Text is stored and returned byte for byte: line ends and byte order marks are kept. Callers
 * never see paths; they use locators.
 */
import { requireCapability, type Capabilities } from './capabilities.ts'
import { contentHash } from './content-hash.ts'
import type { DerivedMaintenance } from './derived-maintenance.ts'
import { ConcurrentModificationError, isSeamError } from './errors.ts'
import type { Info, ListedInfo, Listing } from './info.ts'
import { Locator } from './locator.ts'
import type { PersonalGrant } from './personal-grant.ts'

/** Options of `StorageBackend.write`. */
export interface WriteOptions {
  /** Write only if the current text has this hash. With `null`, write only if there is no file. */
  readonly ifHash?: string | null
}

/** Receives the current text (`undefined` if absent) and returns the new one, or `undefined` to change nothing. */
export type Change = (current: string | undefined) => string | undefined

/** How often the default `update` retries before it reports that other writers were faster each time. */
const updateRounds = 64
/** How many children the default `listInfo` queries at the same time. */
const askedAtOnce = 32

/**
 * The base class of every backend. Extend it and implement the abstract verbs. The optional verbs throw until you declare their capability
 * and override them. `update` works as soon as `write` checks `ifHash`.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 *
 * const backend = new InMemoryBackend()
 * const note = backend.resolve('notes', 'monday.md')
 * await backend.write(note, 'Lock, then write.')
 * await backend.update(note, (text) => `${text} Then hash.`)
 * console.log(await backend.read(note)) // Lock, then write. Then hash.
 * console.log(await backend.exists(note), (await backend.info(note)).size) // true 28
 * await backend.mkdir(backend.resolve('drafts'))
 * for (const { key } of await backend.list(backend.resolve())) console.log(key) // drafts
 * // notes
 * await backend.remove(note)
 * console.log(await backend.exists(note)) // false
 * ```
 */
export abstract class StorageBackend {
  /** What this backend promises. Check the capabilities and not the class, because two backends of one class may differ. */
  abstract readonly capabilities: Capabilities

  /** What happens when two devices change one file: `none` (no copies), or `whole-file` conflict copies. */
  get conflictStrategy(): 'none' | 'whole-file' {
    return 'none'
  }

  /** Rebuilds the data derived from the stored text; absent if the backend derives nothing. */
  get derivedMaintenance(): DerivedMaintenance | undefined {
    return undefined
  }

  /** The locator of these key parts. Without parts, the root. */
  resolve(...parts: readonly string[]): Locator {
    return new Locator('').child(...parts)
  }

  /** The text of the file. Throws `NotFoundError` if there is none. A file that cannot be read throws another error. */
  abstract read(at: Locator): Promise<string>

  /** Writes the whole text, or changes nothing. The text is durable when the promise resolves. Absent parent directories are created. */
  abstract write(at: Locator, text: string, options?: WriteOptions): Promise<Locator>

  /** The immediate children in code point order; `[]` if the directory does not exist. */
  abstract list(at: Locator): Promise<Locator[]>

  /** Whether a file or directory exists there. */
  abstract exists(at: Locator): Promise<boolean>

  /** Size, time and kind. Throws `NotFoundError` if nothing exists there. */
  abstract info(at: Locator): Promise<Info>

  /** Creates the directory and its parents. An existing directory is not an error. */
  abstract mkdir(at: Locator): Promise<Locator>

  /**
   * The children that `list` returns, each with the result of `info`. A child that is removed meanwhile is left out. The result is the same
   * on every backend; some backends read a whole directory faster than its entries one by one. `enough` is called now and then: when it
   * returns true, the children found so far are returned.
   */
  async listInfo(at: Locator, { enough = () => false }: { readonly enough?: () => boolean } = {}): Promise<Listing> {
    const children = await this.list(at)
    const found: (ListedInfo | undefined)[] = []
    for (let i = 0; i < children.length && !enough(); i += askedAtOnce)
      found.push(...(await Promise.all(children.slice(i, i + askedAtOnce).map((child) => infoIfPresent(this, child)))))
    return { children: found.filter((child) => child !== undefined) }
  }

  /**
   * Reads, changes and writes as one step. `change` must not have side effects, because it may be called several times. Returns the
   * resulting text. Needs the capability `conditionalWrite`.
   */
  async update(at: Locator, change: Change): Promise<string | undefined> {
    requireCapability(this, 'conditionalWrite')
    for (let round = 1; ; round++) {
      const current = await readIfPresent(this, at)
      const next = change(current)
      if (next === undefined || next === current) return current
      try {
        await this.write(at, next, { ifHash: current === undefined ? null : contentHash(current) })
        return next
      } catch (error) {
        if (!isSeamError(error, 'CONCURRENT_MODIFICATION') || round === updateRounds) throw error
      }
    }
  }

  /**
   * Removes the file; with `ifHash`, only if its text has this hash. Throws `NotFoundError` if there is none. Needs the capability
   * `removal`.
   */
  async remove(_at: Locator, _options?: { readonly ifHash?: string }): Promise<void> {
    requireCapability(this, 'removal')
    throw new TypeError(`${this.constructor.name} declares removal but does not implement remove()`)
  }

  /** Writes outside the store, into the person's own notes, with a grant for exactly this text. Needs the capability `personalWrite`. */
  async personalWrite(_at: Locator, _text: string, _grant: PersonalGrant): Promise<Locator> {
    requireCapability(this, 'personalWrite')
    throw new TypeError(`${this.constructor.name} declares personalWrite but does not implement personalWrite()`)
  }
}

/**
 * Throws unless the current text is the one that the caller saw. For backends that check the condition themselves.
 *
 * @example
 * ```ts
 * import { checkUnchanged, contentHash, Locator } from '@agentm/storage-seam'
 *
 * checkUnchanged(new Locator('a.md'), 'one', contentHash('one')) // passes
 * checkUnchanged(new Locator('a.md'), undefined, null) // passes: nothing is there
 * ```
 */
export function checkUnchanged(at: Locator, current: string | undefined, ifHash: string | null | undefined): void {
  if (ifHash === undefined) return
  const actual = current === undefined ? null : contentHash(current)
  if (actual !== ifHash) throw new ConcurrentModificationError(at, ifHash, actual)
}

async function readIfPresent(backend: StorageBackend, at: Locator): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

async function infoIfPresent(backend: StorageBackend, at: Locator): Promise<ListedInfo | undefined> {
  try {
    return await backend.info(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    if (isSeamError(error)) return { locator: at, refusal: error }
    throw error
  }
}
