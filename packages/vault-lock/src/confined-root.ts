/**
 * Resolves a key to a path on this machine, following symbolic links, or refuses it. A key cannot contain `..`, but a link on the way can
 * lead out of the root. Therefore a file is opened first, and then its real location is checked: it must be in the root or in a directory
 * that the owner allowed. Swapping a link meanwhile changes nothing, because the open file stays the same.
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
  /** Directories outside the root that links in the root may lead to. */
  readonly allowLinks: readonly FilePath[]
  /** Directories below the root that belong to other programs. */
  readonly exclude: readonly FilePath[]
  /** Whether symbolic links are followed: the root itself may be a link, and links below it may lead to other files below it. */
  readonly followLinks: boolean
  /** Permissions for the root, and for the directories on the way to it, if they have to be created. */
  readonly rootMode?: number
}

export interface OpenedFile {
  readonly file: OpenFile
  readonly path: FilePath
}

/** Where an open file is stored. `replaced`: its name now leads to another file. `of another key`: the disk stores it under another key. */
type JudgedFile = FilePath | 'replaced' | 'of another key'

/** Non-blocking, because otherwise opening a named pipe would wait for a process that writes into it. */
const readOnly = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
/**
 * How often a file is opened again after another program replaced it. This happens only on systems where the location of an open file is
 * known only by its name.
 */
const openRounds = 16

export class ConfinedRoot {
  readonly #root: FilePath
  readonly #fs: FileSystem
  readonly #bounds: Bounds
  /** The last known real path of the root. It is resolved again before any file is refused as outside. */
  #real: FilePath | undefined
  readonly #names: KeptNames

  constructor(root: FilePath, fs: FileSystem, bounds: Bounds) {
    this.#root = root
    this.#fs = fs
    this.#names = new KeptNames(fs)
    this.#bounds = bounds
  }

  /** Whether some directories below the root are excluded from it. */
  get isParted(): boolean {
    return this.#bounds.exclude.length > 0
  }

  /** The last known real path of the root; `undefined` before anything was looked up. */
  get knownRoot(): FilePath | undefined {
    return this.#real
  }

  /** What the key leads to now; `undefined` if nothing exists there. */
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

  /** Opens the file at the key for reading; `undefined` if nothing exists there. */
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

  /** Opens the directory at the key; `undefined` if there is none. */
  async directory(at: Locator): Promise<OpenDirectory | undefined> {
    this.#refuseNames(at)
    const directory = await this.#directory(at, at.key)
    if (directory !== undefined && (await this.#otherKey(at.key, directory.path)) !== undefined) {
      await directory.close()
      return undefined
    }
    // Throws if there is a file instead, or a link that must not be followed.
    if (directory === undefined) await this.find(at)
    return directory
  }

  /** Where the file of this key is or will be created. A link with that name is followed, unless the caller means the link itself. */
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

  /** The directory at the key. `enter` creates it, and the directories on the way to it, if they are absent. */
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

  /** `undefined` if nothing exists there, or only a broken link. */
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

  /** Opens the last of these directories that exists, and returns it with the names of those that do not exist. */
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
      // The directory that was just found is now somewhere else, so somebody is replacing links.
      if (nearest.path !== path.dirname(found.path) || present?.isSymbolicLink() === true)
        throw new OutsideStoreError(at)
      return this.#target(at, { nearest, missing: [], name, present })
    })
  }

  /**
   * Throws if something other than a directory has the place of a directory. A broken link is refused too, because nobody has checked the
   * place it names.
   */
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

  /** Called after something was created at this key. Throws if the disk has stored it under another key. */
  async confirmKey(at: Locator): Promise<void> {
    await this.#refuseOtherKey(at, at.key)
  }

  /** The key under which the disk stores the file found at this key, if that is another one. */
  async #otherKey(key: string, found?: FilePath): Promise<string | undefined> {
    const root = this.#real
    if (root === undefined || this.#names.keepsApart) return undefined
    // On Linux, a resolved path has the spelling it was asked with. On other systems it has the spelling on disk.
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

  /** Throws unless the file found at this key is stored in an allowed place. */
  async #judge(at: Locator, key: string, real: FilePath, isFolder: () => Promise<boolean>): Promise<void> {
    if (!(await this.#isPlain(at, key, real))) await this.#judgeDetour(at, key, real, isFolder)
    await this.#refuseExcluded(at, real)
  }

  /** Whether the file is stored where its key says, so that no link was followed below the root. */
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
   * Whether this key is the only path to the folder: without a link, or through one link that leads out of the store. Through any other
   * link, the same file would get a second key, perhaps in another project, and a circle of links would give it endlessly many.
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

  /** If links are not followed, a broken link is refused too, because its target may be created at any moment. */
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

/** Ignores case and the Unicode form of accents, because some disks store another spelling than they were asked for. */
function isSame(a: string, b: string): boolean {
  return a === b || folded(a) === folded(b)
}

function folded(place: string): string {
  return path.normalize(place).normalize('NFC').toLowerCase()
}

/** Returns the result of `work`, and closes the open file if `work` fails. */
async function orClose<T>(open: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await open.close().catch(() => {})
    throw error
  }
}
