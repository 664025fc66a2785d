/** The place of a file that exists or will be created: a name in an open directory. The directory stays the same one until it is closed. */
import type { BigIntStats } from 'node:fs'
import path from 'node:path'
import { isErrno } from './errno.ts'
import type { FileSystem } from './file-system.ts'
import { openDirectory, type OpenDirectory } from './open-directory.ts'

export interface Way {
  /** The last directory on the way that exists; `undefined` if the root does not exist. */
  readonly nearest: OpenDirectory | undefined
  /** The names of the directories below it that do not exist yet. */
  readonly missing: readonly string[]
  readonly name: string
  /** The file that has the name now. */
  readonly present?: BigIntStats | undefined
}

export interface Entered {
  readonly directory: OpenDirectory
  /** The first directory that was created on the way to it, if any. */
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

  /** Creates the absent directories, each inside the one before, so that no link that appeared meanwhile is followed. */
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
