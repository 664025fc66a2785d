/**
 * The file status of many names, without following links. A fast disk is asked synchronously, because handing each call to a thread costs
 * more than the call. A slow disk is asked by threads, many calls at a time, so that the process is not blocked.
 */
import { type BigIntStats, lstat, lstatSync } from 'node:fs'
import { promisify } from 'node:util'
import { isErrno } from './errno.ts'

/** Number of synchronous calls between two looks at the clock. */
const group = 16
/** If a group takes longer than this, the disk is slow or on a network. */
const atOnceMs = 2
const askedAtOnce = 64
const ask = promisify(lstat)

/** The results in the order of the paths; `undefined` for a name that does not exist. */
export async function lstatAll(
  paths: readonly string[],
  monotonic: () => number = () => performance.now(),
): Promise<readonly (BigIntStats | undefined)[]> {
  const found: (BigIntStats | undefined)[] = []
  let isQuick = true
  while (isQuick && found.length < paths.length) {
    const since = monotonic()
    for (const path of paths.slice(found.length, found.length + group)) found.push(lstatDirectly(path))
    isQuick = monotonic() - since <= atOnceMs
  }
  if (found.length < paths.length) await lstatByThreads(paths, found)
  return found
}

function lstatDirectly(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    return absent(error)
  }
}

/** Continues after the results that were already found. */
async function lstatByThreads(paths: readonly string[], found: (BigIntStats | undefined)[]): Promise<void> {
  let next = found.length
  const worker = async (): Promise<void> => {
    for (let i = next++; i < paths.length; i = next++)
      found[i] = await ask(paths[i] ?? '', { bigint: true }).catch(absent)
  }
  await Promise.all(Array.from({ length: askedAtOnce }, worker))
}

function absent(error: unknown): undefined {
  if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) throw error
  return undefined
}
