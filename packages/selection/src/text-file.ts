/**
 * Reads a small text file, and tells absent from unreadable. A directory, a dangling link and bytes that are not UTF-8 are
 * unreadable, not absent, because a caller would otherwise write a new file over them or choose another store.
 */
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readFile, readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import type { FilePath } from '@agentm/vault-lock'

/** The answer of `readTextFile`: text, absent or unreadable. */
export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string; readonly cause?: unknown }

/**
 * Reads a small text file. Absent, unreadable and readable are three different answers.
 *
 * @example
 * ```ts
 * import { readTextFile } from '@agentm/selection'
 * import { filePath } from '@agentm/vault-lock'
 *
 * const answer = await readTextFile(filePath('/nowhere/config.json'))
 * console.log(answer.kind) // absent
 * ```
 */
export async function readTextFile(file: FilePath): Promise<TextFile> {
  try {
    if (!(await stat(file)).isFile()) return { kind: 'unreadable', why: 'is not a file' }
    return { kind: 'text', text: utf8.decode(await readFile(file)) }
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'unreadable', why: 'is not UTF-8 text', cause: error }
    if (isErrno(error, 'ENOENT')) return await absentOrDangling(file)
    if (isErrno(error, 'ENOTDIR')) return { kind: 'absent' }
    return { kind: 'unreadable', why: `cannot be read (${reasonOf(error)})`, cause: error }
  }
}

/**
 * Reads a file in a directory that somebody else filled, such as a checkout. `names` lead to the file, and none may be a symbolic
 * link. The file is opened first and its real path is checked afterwards, so that a link that appears meanwhile has no effect.
 */
export async function readPlainTextFile(directory: FilePath, names: readonly string[]): Promise<TextFile> {
  const file = path.join(directory, ...names) as FilePath
  let opened: FileHandle
  try {
    opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isErrno(error, 'ELOOP')) return linked
    if (isErrno(error, 'ENOENT', 'ENOTDIR'))
      return (await isReachedByLink(directory, names)) ? linked : { kind: 'absent' }
    return { kind: 'unreadable', why: `cannot be read (${reasonOf(error)})`, cause: error }
  }
  try {
    const plain = path.join(await realpath(directory), ...names)
    if (folded(await placeOf(opened, file)) !== folded(plain)) return linked
    if (!(await opened.stat()).isFile()) return { kind: 'unreadable', why: 'is not a file' }
    return { kind: 'text', text: utf8.decode(await opened.readFile()) }
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'unreadable', why: 'is not UTF-8 text', cause: error }
    return { kind: 'unreadable', why: `cannot be read (${reasonOf(error)})`, cause: error }
  } finally {
    await opened.close()
  }
}

const linked: TextFile = {
  kind: 'unreadable',
  why: 'is behind a symbolic link, and links in a checkout are not followed',
}

async function isReachedByLink(directory: FilePath, names: readonly string[]): Promise<boolean> {
  const places = names.map((_, i) => path.join(directory, ...names.slice(0, i + 1)))
  const found = await Promise.all(places.map((place) => lstat(place).catch(() => undefined)))
  return found.some((each) => each?.isSymbolicLink() === true)
}

/** Only Linux reports the path of an open file. Elsewhere the name is resolved again and must lead to the same file. */
async function placeOf(opened: FileHandle, file: FilePath): Promise<string | undefined> {
  if (process.platform === 'linux' && !('deno' in process.versions)) {
    const place = await readlink(`/proc/self/fd/${opened.fd}`).catch(() => undefined)
    if (place !== undefined) return place
  }
  const place = await realpath(file)
  const [there, mine] = await Promise.all([lstat(place, { bigint: true }), opened.stat({ bigint: true })])
  return there.dev === mine.dev && there.ino === mine.ino ? place : undefined
}

/** Some file systems store another case or another form of an accent than requested. */
function folded(place: string | undefined): string | undefined {
  return place?.normalize('NFC').toLowerCase()
}

// A byte order mark is kept, because the next writer must see it.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function absentOrDangling(file: FilePath): Promise<TextFile> {
  const link = await lstat(file).catch(() => undefined)
  if (link === undefined) return { kind: 'absent' }
  // Another process has created the file between the two looks.
  if (!link.isSymbolicLink()) return readTextFile(file)
  return { kind: 'unreadable', why: 'is a link to something that is not there' }
}

export function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
