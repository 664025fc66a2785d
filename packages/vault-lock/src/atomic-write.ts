/**
 * Replaces a whole file, or fails and leaves the old one. Readers see the old or the new file, also after a power cut. A symbolic link is
 * neither followed nor replaced, unless the caller asks for it: to write the file behind a link, resolve the link first.
 */
import { unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { InvalidTextError } from '@agentm/storage-seam'
import { askLast } from './ask-last.ts'
import { both } from './both.ts'
import { isErrno } from './errno.ts'
import { NotReplaceableError } from './errors.ts'
import type { FilePath } from './file-path.ts'
import { nodeFileSystem, type FileSystem, type OpenFile } from './file-system.ts'
import { giveName } from './give-name.ts'
import { isWithin } from './is-within.ts'
import type { Hold } from './lock-queue.ts'
import { onDeath } from './on-death.ts'
import { byPath, openDirectory, type OpenDirectory } from './open-directory.ts'
import { temporaryName } from './pure/temporary-name.ts'
import { nodeRuntime, type LockRuntime } from './runtime.ts'
import { isKnown, know, sweep, tagOf, whileInFlight } from './sweep-remnants.ts'
import { syncDirectories } from './sync-directories.ts'
import type { Entered } from './target.ts'
import type { World } from './world.ts'

export interface AtomicWriteOptions {
  /** The lock of the writer. It is checked right before the new file takes its place. */
  readonly hold?: Hold
  /** Called together with the check of the lock, right before the rename. Throws if the current file must stay. */
  readonly confirm?: () => Promise<void>
  /**
   * Creates the file only if there is none; otherwise fails with EEXIST, also if a program without the lock was first. On a disk without
   * hard links, only `confirm` decides.
   */
  readonly isNew?: boolean
  /** Permissions (default: those of the replaced file, or 0666 reduced by the umask). */
  readonly mode?: number
  readonly fs?: FileSystem
  readonly runtime?: LockRuntime
}

const renameMs = 2_000
const longestPauseMs = 50

/**
 * Replaces a whole file, or fails and leaves the old one. Readers see the old or the new text, also after a power cut.
 *
 * @example
 * ```ts
 * import { atomicWrite, filePath } from '@agentm/vault-lock'
 * import { mkdtemp, readFile } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const file = filePath(path.join(await mkdtemp(path.join(tmpdir(), 'atomic-')), 'note.md'))
 * await atomicWrite(file, 'Whole, or not at all.\n')
 * console.log((await readFile(file, 'utf8')).trim()) // Whole, or not at all.
 * ```
 */
export async function atomicWrite(
  target: FilePath,
  content: string | Uint8Array,
  options: AtomicWriteOptions = {},
): Promise<void> {
  const { fs = nodeFileSystem } = options
  const bytes = encode(content, target)
  const mode = await modeOf(target, fs)
  const { directory, made } = await openMaking(dirname(target), fs)
  try {
    const place = { directory: byPath(directory), name: basename(target), made }
    await replaceFile(place, bytes, mode === undefined ? options : { mode, ...options })
  } finally {
    await directory.close()
  }
}

/** A name in an open directory. */
export interface Replaceable {
  readonly directory: OpenDirectory
  readonly name: string
  /** The first directory that was created on the way to it, if any. */
  readonly made: string | undefined
}

export interface ReplaceOptions extends AtomicWriteOptions {
  /**
   * Receives the last step, which needs no lock: the disk sync that makes the new name durable. It is not called if new parent directories
   * have to be synced too.
   */
  readonly later?: (synced: Promise<void>) => void
}

/** Like `atomicWrite`, for a name that is known to be a regular file or unused: the current file is not checked. */
export async function replaceFile(place: Replaceable, bytes: Uint8Array, options: ReplaceOptions): Promise<void> {
  const { hold, later, fs = nodeFileSystem, runtime = nodeRuntime } = options
  const { directory, made } = place
  const stranger = hold === undefined || isKnown(directory.path, hold, fs) ? undefined : hold
  const isSwept = stranger !== undefined && (await sweep(directory, stranger, { fs, runtime }))
  await putInPlace(place, bytes, options, { fs, runtime })
  const first = stranger === undefined ? made : await firstUnsure(directory.path, made, stranger, fs)
  if (later !== undefined && first === undefined && !isSwept) return later(directory.sync())
  await directory.sync()
  if (first !== undefined) await syncDirectories(dirname(directory.path), first, fs)
  if (isSwept) know(directory.path, stranger, fs)
}

async function putInPlace(
  { directory, name }: Replaceable,
  bytes: Uint8Array,
  options: AtomicWriteOptions,
  world: World,
): Promise<void> {
  const { hold, mode } = options
  const { fs, runtime } = world
  const temporary = temporaryName(tagOf(hold), runtime.newId())
  await withTemporary(directory, temporary, world, async () => {
    const file = await fs.open(directory.at(temporary), 'wx', mode ?? 0o666)
    await fill(file, bytes, mode, fs)
    const names = { temporary: directory.at(temporary), target: directory.at(name) }
    await publish(names, { ...options, closed: file.close() }, world)
  })
}

async function openMaking(path: string, fs: FileSystem): Promise<Entered> {
  try {
    return { directory: await openDirectory(path, fs), made: undefined }
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
  }
  const made = await fs.mkdir(path, { recursive: true })
  return { directory: await openDirectory(path, fs), made }
}

/**
 * The process that created a directory may have died before the directory was synced, so every directory from the root to here is synced
 * once.
 */
async function firstUnsure(directory: FilePath, made: string | undefined, { root }: Hold, fs: FileSystem) {
  const top = isWithin(root, directory) ? root : await realRoot(root, fs)
  if (top === undefined || !isWithin(top, directory)) return made
  return made === undefined || made.length > top.length ? top : made
}

async function realRoot(root: FilePath, fs: FileSystem): Promise<string | undefined> {
  try {
    return await fs.realpath(root)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

function encode(content: string | Uint8Array, target: FilePath): Uint8Array {
  if (typeof content !== 'string') return content
  if (!content.isWellFormed()) throw new InvalidTextError(`the text for ${target}`)
  return Buffer.from(content)
}

/** Permission bits of the current file; `undefined` if there is none. Throws for anything that is not a file. */
async function modeOf(target: FilePath, fs: FileSystem): Promise<number | undefined> {
  try {
    const stats = await fs.lstat(target)
    if (stats.isSymbolicLink()) throw new NotReplaceableError(target, 'a symbolic link')
    if (stats.isDirectory()) throw new NotReplaceableError(target, 'a directory')
    if (!stats.isFile()) throw new NotReplaceableError(target, 'not a regular file')
    return Number(stats.mode) & 0o777
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Runs `work` and leaves no temporary file behind: `work` renames it, or it is removed, also when the process dies. */
async function withTemporary(
  directory: OpenDirectory,
  name: string,
  { fs }: World,
  work: () => Promise<void>,
): Promise<void> {
  const temporary = directory.at(name)
  const forget = fs.isSimulated ? undefined : onDeath(() => unlinkSync(temporary))
  try {
    return await whileInFlight(join(directory.path, name), fs, work)
  } catch (error) {
    await fs
      .unlink(temporary)
      .catch(() => fs.unlink(temporary))
      .catch(() => {})
    throw error
  } finally {
    forget?.()
  }
}

async function fill(file: OpenFile, bytes: Uint8Array, mode: number | undefined, fs: FileSystem): Promise<void> {
  try {
    await both(file.writeFile(bytes), mode === undefined || fs.platform === 'win32' ? undefined : permit(file, mode))
    await file.sync()
  } catch (error) {
    await file.close().catch(() => {})
    throw error
  }
}

/** Sets the mode again, because the umask may have removed bits when the file was created. */
async function permit(file: OpenFile, mode: number): Promise<void> {
  const { mode: given } = await file.stat()
  if ((Number(given) & 0o7777) !== mode) await file.chmod(mode)
}

async function publish(
  { temporary, target }: { readonly temporary: FilePath; readonly target: FilePath },
  { hold, confirm, closed, isNew = false }: AtomicWriteOptions & { readonly closed: Promise<void> },
  world: World,
): Promise<void> {
  const { fs, runtime } = world
  const started = runtime.monotonic()
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    await askLast(hold, async () => void (await both(closed, confirm?.())))
    try {
      await (isNew ? giveName(temporary, target, fs) : fs.rename(temporary, target))
      return
    } catch (error) {
      // Another process that took the lock over has removed the file. The check then reports that the lock is lost.
      if (isErrno(error, 'ENOENT')) await hold?.check()
      if (isErrno(error, 'EISDIR')) throw new NotReplaceableError(target, 'a directory')
      // Windows does not replace a file that a program has open. Most programs close it soon, so the rename is retried.
      const contended =
        // `confirm` checks the file that has just taken the name.
        (isNew && confirm !== undefined && isErrno(error, 'EEXIST')) ||
        (fs.platform === 'win32' && isErrno(error, 'EPERM', 'EACCES', 'EBUSY'))
      if (!contended || runtime.monotonic() - started > renameMs) throw error
      await runtime.sleep(pauseMs)
    }
  }
}
