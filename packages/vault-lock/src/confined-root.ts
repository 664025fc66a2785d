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
    }
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
      await this.#refuseOutside(at, ancestor)
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

  async #refuseOutside(at: Locator, real: FilePath): Promise<void> {
    if (this.#real !== undefined && isWithin(this.#real, real)) return
    this.#real = await this.#resolve(at, this.#root)
    if (this.#real !== undefined && isWithin(this.#real, real)) return
    for (const directory of this.#bounds.allowLinks) {
      const allowed = await this.#resolve(at, directory)
      if (allowed !== undefined && isWithin(allowed, real)) return
    }
    throw new OutsideStoreError(at)
  }

  async #refuseExcluded(at: Locator, place: FilePath): Promise<void> {
    for (const directory of this.#bounds.exclude) {
      const excluded = await this.#resolve(at, directory)
      if (excluded !== undefined && isWithin(excluded, place)) throw new OutsideStoreError(at)
    }
  }
}
