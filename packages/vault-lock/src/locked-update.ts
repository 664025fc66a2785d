/** Reads, changes and writes a file as one step among all programs that take the same lock. The text is kept byte for byte. */
import { CorruptTextError, type Change } from '@agentm/storage-seam'
import { atomicWrite } from './atomic-write.ts'
import { isErrno } from './errno.ts'
import type { FilePath } from './file-path.ts'
import { nodeFileSystem, type FileSystem } from './file-system.ts'
import { type MutexOptions, underLock } from './vault-mutex.ts'

export interface LockedUpdateOptions extends MutexOptions {
  /** Permissions of the new file (default: those of the current file). */
  readonly mode?: number
}

/**
 * Calls `change` with the current text, or with `undefined` if there is no file, and writes the text it returns. If it returns `undefined`
 * or the same text, nothing is written. `change` must not have side effects. Returns the resulting text.
 *
 * @example
 * ```ts
 * import { filePath, lockedUpdate } from '@agentm/vault-lock'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const vault = filePath(await mkdtemp(path.join(tmpdir(), 'vault-')))
 * const counter = filePath(path.join(vault, 'counter.txt'))
 * const increment = (text = '0') => `${Number(text) + 1}`
 * await Promise.all([1, 2, 3].map(() => lockedUpdate(vault, counter, increment)))
 * console.log(await lockedUpdate(vault, counter, () => undefined)) // 3
 * ```
 */
export async function lockedUpdate(
  root: FilePath,
  target: FilePath,
  change: Change,
  { mode, ...options }: LockedUpdateOptions = {},
): Promise<string | undefined> {
  const { fs = nodeFileSystem, runtime } = options
  return underLock(
    root,
    async (hold) => {
      const current = await readText(target, fs)
      const next = change(current)
      if (next === undefined || next === current) return current
      await atomicWrite(target, next, {
        hold,
        fs,
        ...(runtime === undefined ? {} : { runtime }),
        ...(mode === undefined ? {} : { mode }),
      })
      return next
    },
    options,
  )
}

/** The current text, including byte order mark and line ends; `undefined` if there is no file. */
async function readText(path: FilePath, fs: FileSystem): Promise<string | undefined> {
  let bytes: Uint8Array
  try {
    bytes = await fs.readFile(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw new CorruptTextError({ key: path }, { cause: error })
  }
}
