/**
 * How the disk spells the names that a key asks for. Some disks (of macOS and Windows, sticks, some shares) take names for one that
 * differ in case: asked for `proj` they answer with `Proj`, and two keys would share one place. Two forms of one accent are one
 * name: disks and sync programs put one in the place of the other by themselves.
 */
import path from 'node:path'
import { storeMarkerKey } from '@agentm/storage-seam'
import type { FileSystem } from './file-system.ts'

/** Names that were there a moment ago still say how they are spelled. */
const believedMs = 2_000
const mostDirectories = 64

interface Seen {
  readonly names: ReadonlySet<string>
  readonly since: number
}

export class KeptNames {
  readonly #fs: FileSystem
  readonly #monotonic: () => number
  readonly #seen = new Map<string, Seen>()
  /** Whether the disk keeps names apart that differ in case; `undefined` until some name in the root has told. */
  #keepsApart: boolean | undefined

  constructor(fs: FileSystem, monotonic: () => number = () => performance.now()) {
    this.#fs = fs
    this.#monotonic = monotonic
  }

  /** True once it is known that nothing has to be asked. */
  get keepsApart(): boolean {
    return this.#keepsApart === true
  }

  /** For a key at which something was found: the key under which it is stored, if that is a different one. */
  async otherKey(root: string, key: string): Promise<string | undefined> {
    this.#keepsApart ??= await this.#looksApart(root)
    if (key === '' || this.#keepsApart !== false) return undefined
    const kept: string[] = []
    for (const segment of key.split('/')) {
      const name = await this.#keptName(path.join(root, ...kept), segment)
      if (name === undefined) return undefined
      kept.push(name)
    }
    return kept.join('/') === key ? undefined : kept.join('/')
  }

  /** The segment itself, where the disk keeps it in that form or in another form of the same characters. */
  async #keptName(directory: string, segment: string): Promise<string | undefined> {
    const seen = this.#seen.get(directory)
    if (seen?.names.has(segment) === true && this.#monotonic() - seen.since < believedMs) return segment
    const names = await this.#namesIn(directory)
    if (names.has(segment)) return segment
    const alike = [...names].find((name) => folded(name) === folded(segment))
    return alike?.normalize('NFC') === segment.normalize('NFC') ? segment : alike
  }

  async #namesIn(directory: string): Promise<ReadonlySet<string>> {
    const names = new Set(await this.#fs.readdir(directory).catch(() => []))
    if (this.#seen.size >= mostDirectories) this.#seen.clear()
    this.#seen.set(directory, { names, since: this.#monotonic() })
    return names
  }

  /** Whether a name in the root, asked for in the other case, is not there. */
  async #looksApart(root: string): Promise<boolean | undefined> {
    // What nearly every store has: without it in the other case, no other name has to be looked for.
    const usual = path.dirname(storeMarkerKey)
    if ((await this.#isApart(root, usual)) === true) return true
    const names = new Set(await this.#fs.readdir(root).catch(() => []))
    const alone = [...names].find((name) => !names.has(inOtherCase(name)))
    return alone === undefined ? undefined : this.#isApart(root, alone)
  }

  /** `undefined` where the name is not there at all. */
  async #isApart(root: string, name: string): Promise<boolean | undefined> {
    const both = [name, inOtherCase(name)].map((each) => path.join(root, each))
    const [there, other] = await this.#fs.lstatAll(both)
    return there === undefined ? undefined : other === undefined
  }
}

/** ASCII alone: what is one letter there is one letter on every disk. A name without any is itself. */
function inOtherCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
