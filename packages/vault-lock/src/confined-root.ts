/**
 * Where a key leads on this machine, links followed, or a refusal. The key alone cannot climb, but a link on the way
 * can; so the answer is the resolved path, taken as late as possible, and it lies below the root or below a directory
 * the owner named.
 */
import path from 'node:path'
import { InvalidLocatorError, type Locator, NotAFileError, OutsideStoreError } from '@agentm/storage-seam'
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import type { FileSystem } from './file-system.ts'
import { isWithin } from './is-within.ts'
import { refuseUnusableName } from './pure/usable-name.ts'

export interface Bounds {
  /** Directories outside the root that links in it may lead into. */
  readonly allowLinks: readonly FilePath[]
  /** Directories below the root that are somebody else's. */
  readonly exclude: readonly FilePath[]
  /** Whether links are followed at all: the root itself may be one, and those below it may lead to other places below it. */
  readonly followLinks: boolean
}

export interface Target {
  readonly path: FilePath
  readonly present: boolean
}

export class ConfinedRoot {
  readonly #root: FilePath
  readonly #fs: FileSystem
  readonly #bounds: Bounds
  /** Where the root was last found to lead; asked again before anything is called outside. */
  #real: FilePath | undefined

  constructor(root: FilePath, fs: FileSystem, bounds: Bounds) {
    this.#root = root
    this.#fs = fs
    this.#bounds = bounds
  }

  /** Whether some of the directories below the root are not part of it. */
  get isParted(): boolean {
    return this.#bounds.exclude.length > 0
  }

  /** Where the key leads now; `undefined` when nothing is there. */
  async find(at: Locator): Promise<FilePath | undefined> {
    for (const segment of at.parts) refuseUnusableName(at.key, segment, this.#fs.platform)
    const real = await this.#resolve(at, path.join(this.#root, at.key))
    if (real !== undefined) {
      await this.#refuseOutside(at, real)
      await this.#refuseExcluded(at, real)
    } else if (!this.#bounds.followLinks) await this.#refuseLinks(at)
    return real
  }

  /** Where something at this key is, or would be made. */
  async target(at: Locator): Promise<Target> {
    const present = await this.find(at)
    if (present !== undefined) return { path: present, present: true }
    const steps: string[] = [this.#root, ...at.parts]
    for (let known = steps.length - 1; known > 0; known--) {
      await this.#refuseBrokenLink(at, path.join(...steps.slice(0, known + 1)))
      const ancestor = await this.#resolve(at, path.join(...steps.slice(0, known)))
      if (ancestor === undefined) continue
      await this.#refuseOutside(at, ancestor, at.parts.slice(0, known - 1).join('/'))
      await this.#refuseFile(at, ancestor)
      const target = path.join(ancestor, ...steps.slice(known)) as FilePath
      await this.#refuseExcluded(at, target)
      return { path: target, present: false }
    }
    await this.#refuseBrokenLink(at, this.#root)
    return { path: path.join(...steps) as FilePath, present: false }
  }

  async #resolve(at: Locator, place: string): Promise<FilePath | undefined> {
    try {
      return (await this.#fs.realpath(place)) as FilePath
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
      if (isErrno(error, 'ENAMETOOLONG'))
        throw new InvalidLocatorError(at.key, 'a name in it is too long for this disk')
      throw error
    }
  }

  /** A link to nothing names a place nobody checked; writing through it would create a file there. */
  async #refuseBrokenLink(at: Locator, place: string): Promise<void> {
    try {
      const stats = await this.#fs.lstat(place)
      if (stats.isSymbolicLink()) throw new NotAFileError(at, 'behind a link that leads nowhere. Remove it or mend it')
    } catch (error) {
      if (isErrno(error, 'ELOOP')) throw new NotAFileError(at, 'behind a circle of links. Break it', { cause: error })
      if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
    }
  }

  async #refuseFile(at: Locator, ancestor: FilePath): Promise<void> {
    const stats = await this.#fs.stat(ancestor)
    if (!stats.isDirectory()) throw new NotAFileError(at, 'below a file. Choose another key, or move that file away')
  }

  /** `below` is the key of the place that leads to `real`: the one asked for, or one above it. */
  async #refuseOutside(at: Locator, real: FilePath, below = at.key): Promise<void> {
    if (!this.#bounds.followLinks) return this.#refuseLinked(at, real, below)
    if (this.#real !== undefined && isWithin(this.#real, real)) return
    this.#real = await this.#resolve(at, this.#root)
    if (this.#real !== undefined && isWithin(this.#real, real)) return
    for (const directory of this.#bounds.allowLinks) {
      const allowed = await this.#resolve(at, directory)
      if (allowed !== undefined && isWithin(allowed, real)) return
    }
    throw new OutsideStoreError(at)
  }

  /** Where no link is followed, every place lies where its key says; only the way to the root may hold links. */
  async #refuseLinked(at: Locator, real: FilePath, below: string): Promise<void> {
    const above = await this.#resolve(at, path.dirname(this.#root))
    const plain = path.join(above ?? path.dirname(this.#root), path.basename(this.#root), below)
    if (folded(real) !== folded(plain)) throw new OutsideStoreError(at)
  }

  /** Of what is not there: a link to nothing is a link, and what it names may be there in a moment. */
  async #refuseLinks(at: Locator): Promise<void> {
    for (let i = 0; i <= at.parts.length; i++) {
      const stats = await this.#fs.lstat(path.join(this.#root, ...at.parts.slice(0, i))).catch(() => undefined)
      if (stats?.isSymbolicLink() === true) throw new OutsideStoreError(at)
    }
  }

  async #refuseExcluded(at: Locator, place: FilePath): Promise<void> {
    for (const directory of this.#bounds.exclude) {
      const excluded = await this.#resolve(at, directory)
      if (excluded !== undefined && isWithin(excluded, place)) throw new OutsideStoreError(at)
    }
  }
}

/** Some disks keep another case, or another form of an accent, than they were asked for. */
function folded(place: string): string {
  return place.normalize('NFC').toLowerCase()
}
