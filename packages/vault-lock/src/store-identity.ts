/**
 * Whether the store is there, and is the one it was. A drive that is not mounted leaves an empty directory behind; only
 * the store's own marker tells that apart from a store without notes. Once an id is known, from the configuration or
 * because this process has seen it, the marker must be there: it is never made again here.
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
   * Throws `StoreUnavailableError` when the store is away or another one stands in its place. Where no id is known,
   * something found in the store is proof enough that it is there.
   */
  async check({ found }: { readonly found: boolean }): Promise<void> {
    if (found && this.#looked && this.#known === undefined) return
    await this.#compare()
    this.#looked = true
  }

  /** The marker is being written: the next check reads it. */
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
      // By its place on this disk: whoever has to repair it looks there.
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
