/**
 * How the disk spells the names in a key. Some disks (those of macOS and Windows, USB sticks, some network shares) ignore case: a read of
 * `proj` opens `Proj`, so two keys would share one file. Two Unicode forms of one accent count as the same name, because disks and sync
 * programs replace one form by the other.
 */
import path from 'node:path'
import { storeMarkerKey } from '@agentm/storage-seam'
import type { FileSystem } from './file-system.ts'

/** How long a spelling that was read from the disk is cached. */
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
  /** Whether the disk distinguishes upper and lower case; `undefined` until a name in the root has shown it. */
  #keepsApart: boolean | undefined

  constructor(fs: FileSystem, monotonic: () => number = () => performance.now()) {
    this.#fs = fs
    this.#monotonic = monotonic
  }

  /** True once it is known that no spelling has to be checked. */
  get keepsApart(): boolean {
    return this.#keepsApart === true
  }

  /** For a key at which a file was found: the key under which the disk stores it, if that is a different one. */
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

  /** The spelling on disk: `segment` itself if it is stored in that form or in another Unicode form of the same characters. */
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

  /** Looks up a name of the root in the other case. True if the disk does not find it, so the disk distinguishes case. */
  async #looksApart(root: string): Promise<boolean | undefined> {
    // Nearly every store has this directory. If it cannot be found in the other case, the disk distinguishes case and no other name has to
    // be tried.
    const usual = path.dirname(storeMarkerKey)
    if ((await this.#isApart(root, usual)) === true) return true
    const names = new Set(await this.#fs.readdir(root).catch(() => []))
    const alone = [...names].find((name) => !names.has(inOtherCase(name)))
    return alone === undefined ? undefined : this.#isApart(root, alone)
  }

  /** `undefined` if the name does not exist at all. */
  async #isApart(root: string, name: string): Promise<boolean | undefined> {
    const both = [name, inOtherCase(name)].map((each) => path.join(root, each))
    const [there, other] = await this.#fs.lstatAll(both)
    return there === undefined ? undefined : other === undefined
  }
}

/** Changes the case of ASCII letters only, because disks differ on other letters. A name without ASCII letters stays unchanged. */
function inOtherCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}
