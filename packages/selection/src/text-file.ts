/**
 * Reads a small text file and says which of three things it found. A directory, a link to nowhere or bytes that are not
 * UTF-8 are never taken for "nothing there": whoever believes that writes a fresh file over it, or chooses another store.
 */
import { lstat, readFile, stat } from 'node:fs/promises'
import type { FilePath } from '@agentm/vault-lock'

export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string; readonly cause?: unknown }

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

// A byte order mark is kept: dropping it here would hide it from the next writer.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

async function absentOrDangling(file: FilePath): Promise<TextFile> {
  const link = await lstat(file).catch(() => undefined)
  if (link === undefined) return { kind: 'absent' }
  return { kind: 'unreadable', why: 'is a link to something that is not there' }
}

export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
