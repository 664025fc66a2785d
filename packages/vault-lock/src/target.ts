/** Where something is, or will be, made: a name in an open directory, which stays that directory until it is closed. */
import type { BigIntStats } from 'node:fs'
import path from 'node:path'
import { isErrno } from './errno.ts'
import type { FileSystem } from './file-system.ts'
import { openDirectory, type OpenDirectory } from './open-directory.ts'

export interface Way {
  /** Of the directories on the way, the last one that is there; `undefined` where there is no root. */
  readonly nearest: OpenDirectory | undefined
  /** Names of those below it that are not. */
  readonly missing: readonly string[]
  readonly name: string
  /** What has the name now. */
  readonly present?: BigIntStats | undefined
}

export interface Entered {
  readonly directory: OpenDirectory
  /** The first directory that was made for it, if any. */
  readonly made: string | undefined
}

export class Target {
  readonly name: string
  readonly present: BigIntStats | undefined
  readonly #fs: FileSystem
  readonly #makeRoot: () => Promise<Entered>
  readonly #missing: string[]
  #directory: OpenDirectory | undefined

  constructor({ nearest, missing, name, present }: Way, fs: FileSystem, makeRoot: () => Promise<Entered>) {
    this.name = name
    this.present = present
    this.#fs = fs
    this.#makeRoot = makeRoot
    this.#missing = [...missing]
    this.#directory = nearest
  }

  /** Makes the directories that are missing, each in the one before: no link that came to its name meanwhile is followed. */
  async enter(): Promise<Entered> {
    let { directory, made }: Entered =
      this.#directory === undefined ? await this.#makeRoot() : { directory: this.#directory, made: undefined }
    this.#directory = directory
    for (const name of this.#missing.splice(0)) {
      if (await this.#isMade(directory.at(name))) made ??= path.join(directory.path, name)
      const next = await openDirectory(directory.at(name), this.#fs, { followLink: false })
      await directory.close()
      this.#directory = directory = next
    }
    return { directory, made }
  }

  async close(): Promise<void> {
    await this.#directory?.close()
    this.#directory = undefined
  }

  async #isMade(place: string): Promise<boolean> {
    try {
      await this.#fs.mkdir(place)
      return true
    } catch (error) {
      if (isErrno(error, 'EEXIST')) return false
      throw error
    }
  }
}
