/**
 * The path of a key on this machine with links followed, or a refusal. The key alone cannot climb, but a link on the way can. What
 * is there is opened first and judged then, by where it lies: it is in the root, or in a directory the owner named. So it
 * makes no difference what the way there is swapped for meanwhile.
 */
import { constants } from 'node:fs'
import path from 'node:path'
import { InvalidLocatorError, type Locator, NotAFileError, OutsideStoreError } from '@agentm/storage-seam'
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import type { FileSystem, OpenFile } from './file-system.ts'
import { isWithin } from './is-within.ts'
import { KeptNames } from './kept-names.ts'
import { type Located, locate, openDirectory, type OpenDirectory, whereIs } from './open-directory.ts'
import { refuseUnusableName } from './pure/usable-name.ts'
import { Target, type Way } from './target.ts'

export interface Bounds {
  /** Directories outside the root that links in it may lead into. */
  readonly allowLinks: readonly FilePath[]
  /** Directories below the root that belong to other programs. */
  readonly exclude: readonly FilePath[]
  /** Whether links are followed at all: the root itself may be one, and those below it may lead to other files below it. */
  readonly followLinks: boolean
  /** Permissions of a root that has to be made, and of the directories made on the way to it. */
  readonly rootMode?: number
}

export interface OpenedFile {
  readonly file: OpenFile
  readonly path: FilePath
}

/** Where an open file lies; or that its name leads to another one by now, or that it is kept under another key. */
type JudgedFile = FilePath | 'replaced' | 'of another key'

/** A pipe in the place of a file answers at once, instead of waiting for somebody who writes into it. */
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
/** How often a file is opened again that another one replaced meanwhile, where only its name tells where it lies. */
const openRounds = 16

export class ConfinedRoot {
  readonly #root: FilePath
  readonly #fs: FileSystem
  readonly #bounds: Bounds
  /** Where the root was last found to lie; asked again before anything is called outside. */
  #real: FilePath | undefined
  readonly #names: KeptNames

  constructor(root: FilePath, fs: FileSystem, bounds: Bounds) {
    this.#root = root
    this.#fs = fs
    this.#names = new KeptNames(fs)
    this.#bounds = bounds
  }

  /** Whether some of the directories below the root are not part of it. */
  get isParted(): boolean {
    return this.#bounds.exclude.length > 0
  }

  /** What is at the key now; `undefined` when nothing is. */
  async find(at: Locator): Promise<Located | undefined> {
    this.#refuseNames(at)
    const found = await this.#present(at, () => locate(this.#place(at.key), this.#fs))
    if (found === undefined) {
      await this.#refuseUnfollowed(at)
      return undefined
    }
    await this.#judge(at, at.key, found.path, async () => found.stats.isDirectory())
    return (await this.#otherKey(at.key, found.path)) === undefined ? found : undefined
  }

  /** What is at the key, opened to be read; `undefined` when nothing is there. */
  async open(at: Locator): Promise<OpenedFile | undefined> {
    this.#refuseNames(at)
    for (let round = 0; round < openRounds; round++) {
      const file = await this.#present(at, () => this.#fs.open(this.#place(at.key), readOnly))
      if (file === undefined) {
        await this.#refuseUnfollowed(at)
        return undefined
      }
      const found = await orClose(file, () => this.#judgeOpen(at, file))
      if (found !== 'replaced' && found !== 'of another key') return { file, path: found }
      await file.close()
      if (found === 'of another key') return undefined
    }
    throw new OutsideStoreError(at, { why: 'leads to another file each time it is opened. Try again.' })
  }

  /** The directory at the key; `undefined` when none is there. */
  async directory(at: Locator): Promise<OpenDirectory | undefined> {
    this.#refuseNames(at)
    const directory = await this.#directory(at, at.key)
    if (directory !== undefined && (await this.#otherKey(at.key, directory.path)) !== undefined) {
      await directory.close()
      return undefined
    }
    // A file, or a link to one that may not be looked at, is refused as such.
    if (directory === undefined) await this.find(at)
    return directory
  }

  /** Where a file of this key is, or will be made. A link of that name is followed, unless the link itself is meant. */
  async target(at: Locator, { isLinkMeant = false }: { readonly isLinkMeant?: boolean } = {}): Promise<Target> {
    this.#refuseNames(at)
    const { nearest, missing } = await this.#nearest(at, at.parts.slice(0, -1))
    if (nearest === undefined || missing.length > 0) return this.#target(at, { nearest, missing, name: at.name })
    return orClose(nearest, async () => {
      const present = await this.#present(at, () => this.#fs.lstat(nearest.at(at.name)))
      if (present !== undefined) await this.#refuseOtherKey(at, at.key)
      if (present?.isSymbolicLink() === true && !isLinkMeant) {
        const behind = await this.#behindLink(at)
        await nearest.close()
        return behind
      }
      await this.#refuseExcluded(at, path.join(nearest.path, at.name))
      return this.#target(at, { nearest, missing, name: at.name, present })
    })
  }

  /** The directory at the key, where those on the way that are not there will be made. */
  async folder(at: Locator): Promise<Target> {
    this.#refuseNames(at)
    const { nearest, missing } = await this.#nearest(at, at.parts)
    const present = nearest !== undefined && missing.length === 0 ? await this.#fs.lstat(nearest.self) : undefined
    return this.#target(at, { nearest, missing, name: '', present })
  }

  async #judgeOpen(at: Locator, file: OpenFile): Promise<JudgedFile> {
    const real = await whereIs(file, this.#place(at.key), this.#fs)
    if (real === undefined) return 'replaced'
    await this.#judge(at, at.key, real, async () => (await file.stat()).isDirectory())
    return (await this.#otherKey(at.key, real)) === undefined ? real : 'of another key'
  }

  #place(key: string): string {
    return key === '' ? this.#root : path.join(this.#root, key)
  }

  #refuseNames(at: Locator): void {
    for (const segment of at.parts) refuseUnusableName(at.key, segment, this.#fs.platform)
  }

  /** `undefined` where nothing is, or only a link that leads nowhere. */
  async #present<T>(at: Locator, look: () => Promise<T>): Promise<T | undefined> {
    try {
      return await look()
    } catch (error) {
      if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined
      if (isErrno(error, 'ENAMETOOLONG'))
        throw new InvalidLocatorError(at.key, 'it, or a name in it, is longer than this disk allows')
      throw error
    }
  }

  async #resolve(at: Locator, place: string): Promise<FilePath | undefined> {
    return this.#present(at, async () => (await this.#fs.realpath(place)) as FilePath)
  }

  async #directory(at: Locator, key: string): Promise<OpenDirectory | undefined> {
    const directory = await this.#present(at, () => openDirectory(this.#place(key), this.#fs))
    if (directory === undefined) return undefined
    return orClose(directory, async () => {
      await this.#judge(at, key, directory.path, async () => true)
      return directory
    })
  }

  /** The last of these directories that is there, and the names of those that are not. */
  async #nearest(at: Locator, folders: readonly string[]): Promise<Pick<Way, 'nearest' | 'missing'>> {
    for (let known = folders.length; known >= 0; known--) {
      const nearest = await this.#directory(at, folders.slice(0, known).join('/'))
      if (nearest === undefined) continue
      const missing = folders.slice(known)
      return orClose(nearest, async () => {
        await this.#refuseOtherKey(at, folders.slice(0, known).join('/'), nearest.path)
        const [next] = missing
        if (next !== undefined) await this.#refuseInTheWay(at, folders.slice(0, known + 1).join('/'), nearest.at(next))
        await this.#refuseExcluded(at, path.join(nearest.path, ...missing))
        return { nearest, missing }
      })
    }
    await this.#refuseInTheWay(at, '', this.#root)
    return { nearest: undefined, missing: folders }
  }

  #target(at: Locator, way: Way): Target {
    return new Target(way, this.#fs, async () => {
      const { rootMode: mode } = this.#bounds
      const made = await this.#fs.mkdir(this.#root, { recursive: true, ...(mode === undefined ? {} : { mode }) })
      const directory = await this.#directory(at, '')
      if (directory === undefined) throw new NotAFileError(at, 'below a directory that went away. Try again')
      return { directory, made }
    })
  }

  async #behindLink(at: Locator): Promise<Target> {
    const found = await this.find(at)
    if (found === undefined) {
      await this.#refuseLinkInTheWay(at, at.key)
      throw new NotAFileError(at, 'behind a link that is just being changed. Try again')
    }
    const name = path.basename(found.path)
    const nearest = await openDirectory(path.dirname(found.path), this.#fs)
    return orClose(nearest, async () => {
      const present = await this.#present(at, () => this.#fs.lstat(nearest.at(name)))
      // What was found a moment ago lay elsewhere: somebody is swapping links.
      if (nearest.path !== path.dirname(found.path) || present?.isSymbolicLink() === true)
        throw new OutsideStoreError(at)
      return this.#target(at, { nearest, missing: [], name, present })
    })
  }

  /** Of what is in the place of a directory and is none. A link to nothing names a place that nobody has judged. */
  async #refuseInTheWay(at: Locator, key: string, place: string): Promise<void> {
    const stats = await this.#present(at, () => this.#fs.lstat(place))
    if (stats === undefined || stats.isDirectory()) return
    if (stats.isSymbolicLink()) await this.#refuseLinkInTheWay(at, key)
    if (key === at.key) throw new NotAFileError(at, 'a file, so no directory can be made there')
    throw new NotAFileError(at, 'below a file. Choose another key, or move that file away')
  }

  async #refuseLinkInTheWay(at: Locator, key: string): Promise<void> {
    const behind = await this.#present(at, () => locate(this.#place(key), this.#fs))
    if (behind === undefined)
      throw new NotAFileError(at, 'behind a link that leads nowhere, or in a circle. Remove it or mend it')
    await this.#judge(at, key, behind.path, async () => behind.stats.isDirectory())
  }

  /** After something was made at this key: throws where the disk has kept it under another one. */
  async confirmKey(at: Locator): Promise<void> {
    await this.#refuseOtherKey(at, at.key)
  }

  /** The key of what was found at this one, where the disk keeps it under another. */
  async #otherKey(key: string, found?: FilePath): Promise<string | undefined> {
    const root = this.#real
    if (root === undefined || this.#names.keepsApart) return undefined
    // Linux gives back the spelling it was asked with; elsewhere a path that was followed is spelled as it is kept.
    if (this.#fs.platform !== 'linux' && found?.normalize('NFC') === below(root, key).normalize('NFC')) return undefined
    return this.#names.otherKey(root, key)
  }

  async #refuseOtherKey(at: Locator, key: string, found?: FilePath): Promise<void> {
    const kept = await this.#otherKey(key, found)
    if (kept === undefined) return
    const differs = key.split('/').findIndex((segment, i) => kept.split('/')[i] !== segment)
    const [asked, there] = [key, kept].map((each) =>
      JSON.stringify(
        each
          .split('/')
          .slice(0, differs + 1)
          .join('/'),
      ),
    )
    const why = `this disk takes ${asked} for ${there}, which is there. Use that spelling, or another name`
    throw new InvalidLocatorError(at.key, why)
  }

  /** Throws unless what was found at this key lies where it may. */
  async #judge(at: Locator, key: string, real: FilePath, isFolder: () => Promise<boolean>): Promise<void> {
    if (!(await this.#isPlain(at, key, real))) await this.#judgeDetour(at, key, real, isFolder)
    await this.#refuseExcluded(at, real)
  }

  /** Whether it lies where its key says: no link was followed, but perhaps on the way to the root. */
  async #isPlain(at: Locator, key: string, real: FilePath): Promise<boolean> {
    if (this.#real !== undefined && real === below(this.#real, key)) return true
    this.#real = await this.#whereRootLies(at)
    return this.#real !== undefined && isSame(real, below(this.#real, key))
  }

  async #whereRootLies(at: Locator): Promise<FilePath | undefined> {
    if (this.#bounds.followLinks) return this.#resolve(at, this.#root)
    const above = path.dirname(this.#root)
    return path.join((await this.#resolve(at, above)) ?? above, path.basename(this.#root)) as FilePath
  }

  async #judgeDetour(at: Locator, key: string, real: FilePath, isFolder: () => Promise<boolean>): Promise<void> {
    const root = this.#real
    if (root === undefined || !this.#bounds.followLinks) throw new OutsideStoreError(at)
    if (!isWithin(root, real) && !(await this.#isAllowed(at, real))) throw new OutsideStoreError(at)
    const isItself = await isFolder()
    const folderKey = isItself ? key : key.split('/').slice(0, -1).join('/')
    const folder = isItself ? real : await this.#resolve(at, this.#place(folderKey))
    if (folder === undefined || !(await this.#isOwnWay(at, folderKey, folder)))
      throw new OutsideStoreError(at, { why: secondWay })
  }

  async #isAllowed(at: Locator, real: FilePath): Promise<boolean> {
    for (const directory of this.#bounds.allowLinks) {
      const allowed = await this.#resolve(at, directory)
      if (allowed !== undefined && isWithin(allowed, real)) return true
    }
    return false
  }

  /**
   * Whether this is the one way there is to the folder: no link, or a single one, out of the store. Behind any other, what has a
   * key already would have a second one, in another project perhaps, or one for each time around a circle.
   */
  async #isOwnWay(at: Locator, key: string, folder: FilePath): Promise<boolean> {
    const root = this.#real
    if (root === undefined || isSame(folder, below(root, key))) return root !== undefined
    if (isWithin(root, folder)) return false
    const steps = key.split('/')
    for (const i of steps.keys()) {
      const place = path.join(root, ...steps.slice(0, i + 1))
      const stats = await this.#present(at, () => this.#fs.lstat(place))
      if (stats?.isSymbolicLink() !== true) continue
      const target = await this.#resolve(at, place)
      return target !== undefined && isSame(folder, path.join(target, ...steps.slice(i + 1)))
    }
    return false
  }

  /** Where no link is followed: a link to nothing is a link, and what it names may be there in a moment. */
  async #refuseUnfollowed(at: Locator): Promise<void> {
    if (this.#bounds.followLinks) return
    for (let i = 0; i <= at.parts.length; i++) {
      const place = this.#place(at.parts.slice(0, i).join('/'))
      const stats = await this.#fs.lstat(place).catch(() => undefined)
      if (stats?.isSymbolicLink() === true) throw new OutsideStoreError(at)
    }
  }

  async #refuseExcluded(at: Locator, place: string): Promise<void> {
    for (const directory of this.#bounds.exclude) {
      const excluded = await this.#resolve(at, directory)
      if (excluded !== undefined && isWithin(excluded, place)) throw new OutsideStoreError(at)
    }
  }
}

const secondWay =
  'is behind a link to a folder that is not followed, because what is there has a key of its own. Use that key, or put a ' +
  'folder in the place of the link.'

function below(root: FilePath, key: string): string {
  if (key === '') return root
  const names = path.sep === '/' ? key : key.replaceAll('/', path.sep)
  return root.endsWith(path.sep) ? root + names : root + path.sep + names
}

/** Some disks keep another case, or another form of an accent, than they were asked for. */
function isSame(a: string, b: string): boolean {
  return a === b || folded(a) === folded(b)
}

function folded(place: string): string {
  return path.normalize(place).normalize('NFC').toLowerCase()
}

/** What is open is handed on, unless `work` fails. */
async function orClose<T>(open: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await open.close().catch(() => {})
    throw error
  }
}
