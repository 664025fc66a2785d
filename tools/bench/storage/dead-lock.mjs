// @ts-check
/** A lock whose holder died a minute ago, as it lies on disk. */
import { createHash } from 'node:crypto'
import { mkdir, realpath, utimes } from 'node:fs/promises'
import path from 'node:path'

const ageSeconds = 60

/**
 * Ours: an empty directory under the lock root, named for the locked directory.
 * @param {string} root @param {string} cache @returns where it is
 */
export async function leaveDeadLock(root, cache) {
  const key = createHash('sha256')
    .update(await realpath(root))
    .digest('hex')
  return leaveDead(path.join(cache, 'agentm', 'locks', key, 'lock'))
}

/** proper-lockfile's: beside the locked directory. @param {string} root @returns where it is */
export async function leaveDeadPeerLock(root) {
  return leaveDead(`${root}.lock`)
}

/** @param {string} lock */
async function leaveDead(lock) {
  await mkdir(lock, { recursive: true })
  const then = Date.now() / 1000 - ageSeconds
  await utimes(lock, then, then)
  return lock
}
