/**
 * The reference backend: a Map, with every promise that a Map can keep. Its data is lost when the process ends, so it declares neither
 * writers in other processes nor sync.
 */
import {
  asLocator,
  Capabilities,
  checkUnchanged,
  type Info,
  InvalidTextError,
  type Listing,
  Locator,
  NotAFileError,
  NotFoundError,
  StorageBackend,
  type WriteOptions,
} from '@agentm/storage-seam'
import { byCodePoint } from './pure/by-code-point.ts'

/**
 * The reference backend: a Map. Its content is lost when the process ends.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 *
 * const backend = new InMemoryBackend()
 * const note = await backend.write(backend.resolve('monday.md'), 'Lock, then write.')
 * console.log(await backend.read(note)) // Lock, then write.
 * ```
 */
export class InMemoryBackend extends StorageBackend {
  override readonly capabilities: Capabilities = new Capabilities({ conditionalWrite: true, removal: true })
  readonly #entries = new Map<string, Entry>()
  readonly #now: () => number
  #revisions = 0

  constructor({ now = Date.now }: { readonly now?: () => number } = {}) {
    super()
    this.#now = now
    this.#entries.set('', this.#entry(undefined))
  }

  override async read(at: Locator): Promise<string> {
    return this.#text(asLocator(at))
  }

  override async write(given: Locator, text: string, options: WriteOptions = {}): Promise<Locator> {
    const at = asLocator(given)
    if (!text.isWellFormed()) throw new InvalidTextError('the text to write')
    const there = this.#entries.get(at.key)
    if (there !== undefined && there.text === undefined) throw new NotAFileError(at, 'a directory')
    checkUnchanged(at, there?.text, options.ifHash)
    this.#makeDirectories(at.parent)
    this.#entries.set(at.key, this.#entry(text))
    return at
  }

  override async list(given: Locator): Promise<Locator[]> {
    const at = asLocator(given)
    return [...this.#entries.keys()]
      .filter((key) => key !== '' && new Locator(key).parent.equals(at))
      .toSorted(byCodePoint)
      .map((key) => new Locator(key))
  }

  override async exists(at: Locator): Promise<boolean> {
    return this.#entries.has(asLocator(at).key)
  }

  override async listInfo(at: Locator, options: { readonly enough?: () => boolean } = {}): Promise<Listing> {
    const before = this.#revisions
    const listing = await super.listInfo(at, options)
    // If the data changed during the listing, only some entries show the change, so there is no revision.
    const isWhole = before === this.#revisions && options.enough?.() !== true
    return isWhole ? { ...listing, revision: String(before) } : listing
  }

  override async info(given: Locator): Promise<Info> {
    const locator = asLocator(given)
    const entry = this.#entries.get(locator.key)
    if (entry === undefined) throw new NotFoundError(locator)
    const { text, mtime, revision } = entry
    const isDir = text === undefined
    return { locator, isDir, size: isDir ? 0 : Buffer.byteLength(text), mtime, revision }
  }

  override async mkdir(given: Locator): Promise<Locator> {
    const at = asLocator(given)
    this.#makeDirectories(at)
    return at
  }

  override async remove(given: Locator, { ifHash }: { readonly ifHash?: string } = {}): Promise<void> {
    const at = asLocator(given)
    checkUnchanged(at, this.#text(at), ifHash)
    this.#entries.delete(at.key)
    this.#revisions += 1
  }

  #text(at: Locator): string {
    const entry = this.#entries.get(at.key)
    if (entry === undefined) throw new NotFoundError(at)
    if (entry.text === undefined) throw new NotAFileError(at, 'a directory')
    return entry.text
  }

  #makeDirectories(at: Locator): void {
    const missing: string[] = []
    for (let dir = at; dir.key !== ''; dir = dir.parent) {
      const entry = this.#entries.get(dir.key)
      if (entry?.text !== undefined) throw new NotAFileError(dir, 'a file, not a directory')
      if (entry === undefined) missing.push(dir.key)
    }
    for (const key of missing) this.#entries.set(key, this.#entry(undefined))
  }

  #entry(text: string | undefined): Entry {
    return { text, mtime: this.#now() / 1000, revision: String(++this.#revisions) }
  }
}

/** `text` is absent for a directory. */
interface Entry {
  readonly text: string | undefined
  readonly mtime: number
  readonly revision: string
}
