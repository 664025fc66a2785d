/**
 * What a place to keep text must do. Seven verbs carry everything; the verbs below them are optional promises that
 * refuse, by capability name, where a backend does not make them. Text goes in and comes out byte for byte: no newline
 * is translated, no byte order mark dropped. Paths never cross this line; places are locators.
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
  /** Write only if the text there has this hash; `null`: only if nothing is there. */
  readonly ifHash?: string | null
}

/** Gets the present text (`undefined` if absent) and returns the new one; `undefined` changes nothing. */
export type Change = (current: string | undefined) => string | undefined

/** How often the default `update` starts over before it says that others are faster. */
const updateRounds = 64
/** How many children the default `listInfo` asks about at once. */
const askedAtOnce = 32

/**
 * The base class of every backend. Extend it and implement the abstract verbs; the optional verbs refuse until you
 * declare their capability and override them. `update` works as soon as `write` keeps `ifHash`.
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
  /** What this backend promises. Read it, never the class: every backend answers for itself. */
  abstract readonly capabilities: Capabilities

  /** How two versions of one place are told apart when sync made both: `none`, or `whole-file` copies. */
  get conflictStrategy(): 'none' | 'whole-file' {
    return 'none'
  }

  /** Rebuilds what is derived from the stored text; absent where nothing is derived. */
  get derivedMaintenance(): DerivedMaintenance | undefined {
    return undefined
  }

  /** The locator these parts name; none name the root. */
  resolve(...parts: readonly string[]): Locator {
    return new Locator('').child(...parts)
  }

  /** The text there. `NotFoundError` when there is none; anything unreadable is another error. */
  abstract read(at: Locator): Promise<string>

  /** Puts the text there, whole or not at all, and durable when the promise resolves; missing parents are made. */
  abstract write(at: Locator, text: string, options?: WriteOptions): Promise<Locator>

  /** The immediate children in code point order; `[]` where there is no directory. */
  abstract list(at: Locator): Promise<Locator[]>

  /** Whether a file or directory is there. */
  abstract exists(at: Locator): Promise<boolean>

  /** Size, time and kind; `NotFoundError` when nothing is there. */
  abstract info(at: Locator): Promise<Info>

  /** Makes the directory, parents too; one that is there already is fine. */
  abstract mkdir(at: Locator): Promise<Locator>

  /**
   * The children as `list` gives them, each with what `info` says of it; what went away meanwhile is left out. Answers the
   * same on every backend, and exists because some can look at a whole directory for less than its entries one by one.
   * `enough` is asked now and then; once it says true, what is known so far is the answer.
   */
  async listInfo(at: Locator, { enough = () => false }: { readonly enough?: () => boolean } = {}): Promise<Listing> {
    const children = await this.list(at)
    const found: (ListedInfo | undefined)[] = []
    for (let i = 0; i < children.length && !enough(); i += askedAtOnce)
      found.push(...(await Promise.all(children.slice(i, i + askedAtOnce).map((child) => infoIfPresent(this, child)))))
    return { children: found.filter((child) => child !== undefined) }
  }

  /**
   * Read, change, write as one step. `change` may be called several times, so it must only compute. Returns the resulting text.
   * Needs `conditionalWrite`.
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

  /** Removes the text there, only if it has `ifHash` when one is given; `NotFoundError` when nothing is there. Needs `removal`. */
  async remove(_at: Locator, _options?: { readonly ifHash?: string }): Promise<void> {
    requireCapability(this, 'removal')
    throw new TypeError(`${this.constructor.name} declares removal but does not implement remove()`)
  }

  /** Writes above the store, into the person's own space, with a grant for exactly this text. Needs `personalWrite`. */
  async personalWrite(_at: Locator, _text: string, _grant: PersonalGrant): Promise<Locator> {
    requireCapability(this, 'personalWrite')
    throw new TypeError(`${this.constructor.name} declares personalWrite but does not implement personalWrite()`)
  }
}

/**
 * Refuses unless what is there is what the caller saw. For backends that keep the condition themselves.
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
