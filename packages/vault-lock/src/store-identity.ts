/**
 * Checks that the store is there and is still the same store. A drive that is not mounted leaves an empty directory behind, and only the
 * store's marker file tells such a directory from a store without notes. Once the id is known, from the configuration or because this
 * process has read it, the marker must exist. This check never creates a marker.
 */
import path from 'node:path'
import {
  CorruptStoreMarkerError,
  isSeamError,
  Locator,
  parseStoreMarker,
  storeMarkerKey,
  StoreUnavailableError,
} from '@agentm/storage-seam'
import type { ConfinedRoot } from './confined-root.ts'
import type { FilePath } from './file-path.ts'
import { isErrno } from './errno.ts'
import type { FileSystem } from './file-system.ts'
import { SeenText } from './seen-text.ts'

const marker = new Locator(storeMarkerKey)

export interface Expected {
  readonly id: string | undefined
  readonly parentMustExist: boolean
}

export class StoreIdentity {
  readonly #root: FilePath
  readonly #fs: FileSystem
  readonly #confined: ConfinedRoot
  readonly #parentMustExist: boolean
  #known: string | undefined
  #seen: bigint | undefined
  #looked = false

  constructor(root: FilePath, confined: ConfinedRoot, fs: FileSystem, { id, parentMustExist }: Expected) {
    this.#root = root
    this.#fs = fs
    this.#confined = confined
    this.#known = id
    this.#parentMustExist = parentMustExist
  }

  /**
   * Throws `StoreUnavailableError` when the store is unavailable or another store is in its place. If no id is known, finding any file in
   * the store is enough.
   */
  async check({ found }: { readonly found: boolean }): Promise<void> {
    if (found && this.#looked && this.#known === undefined) return
    await this.#compare()
    this.#looked = true
  }

  /** To be called when the marker is written: the next check reads it again. */
  lookAgain(): void {
    this.#looked = false
  }

  async #compare(): Promise<void> {
    const changed = await this.#changeTime(path.join(this.#root, storeMarkerKey) as FilePath)
    if (changed !== undefined && changed === this.#seen) return
    const id = changed === undefined ? undefined : await this.#readMarker()
    if (id === undefined) await this.#refuseWithoutMarker()
    if (this.#known !== undefined && id !== this.#known)
      throw new StoreUnavailableError(
        `the store at ${this.#root} has the id ${id ?? '(none)'}, not ${this.#known}. Mount the right store, or change the configuration to use this one.`,
      )
    this.#known = id
    this.#seen = changed
  }

  async #refuseWithoutMarker(): Promise<void> {
    const there = await this.#changeTime(this.#root)
    if (this.#known !== undefined)
      throw new StoreUnavailableError(
        there === undefined
          ? `the store at ${this.#root} is away. Mount the drive or start the sync program that keeps it.`
          : `${this.#root} is there but holds no ${storeMarkerKey}, so it is not store ${this.#known}. Is the drive mounted?`,
      )
    const parent = path.dirname(this.#root) as FilePath
    if (there === undefined && this.#parentMustExist && (await this.#changeTime(parent)) === undefined)
      throw new StoreUnavailableError(
        `neither ${this.#root} nor its parent directory exists. Mount the drive, or correct the path.`,
      )
  }

  async #readMarker(): Promise<string | undefined> {
    try {
      const opened = await this.#confined.open(marker)
      if (opened === undefined) return undefined
      const seen = await SeenText.read(opened, marker, this.#fs)
      await seen.close()
      return parseStoreMarker(seen.text)
    } catch (error) {
      if (!isCorrupt(error)) throw error
      // The error names the path on this disk, because whoever repairs the marker needs it.
      throw new CorruptStoreMarkerError(path.join(this.#root, storeMarkerKey), { cause: error })
    }
  }

  async #changeTime(place: FilePath): Promise<bigint | undefined> {
    try {
      return (await this.#fs.stat(place)).ctimeNs
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
      throw error
    }
  }
}

function isCorrupt(error: unknown): boolean {
  return isSeamError(error) && ['STORE_MARKER_CORRUPT', 'CORRUPT_TEXT', 'NOT_A_FILE'].includes(error.code)
}
