/**
 * What many names of one place are, links not followed. A disk that answers at once is asked directly: handing each question
 * to another thread costs more than the answer. One that does not is asked by those threads, many at a time, so that nothing
 * else waits for it.
 */
import { type BigIntStats, lstat, lstatSync } from 'node:fs'
import { promisify } from 'node:util'
import { isErrno } from './errno.ts'

/** Asked directly between two looks at the clock. */
const group = 16
/** A group that takes longer comes from a slow disk, or from a network. */
const atOnceMs = 2
const askedAtOnce = 64
const ask = promisify(lstat)

/** In order; `undefined` for a name that is not there. */
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

/** Continues behind what is found already. */
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
