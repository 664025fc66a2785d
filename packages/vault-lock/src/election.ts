/**
 * An election of the one process that may act on a lock that looks dead. A process that wants to remove the lock, or is its late holder and
 * wants to continue, first makes a directory beside it. The directory's name is derived from the state of the lock, so only one process can
 * make it. Without the election, a slow waiter could remove a lock that a faster one has made in the meantime. If a winner dies, or its
 * claim becomes stale, the next generation of the name allows a new election.
 */
import { dirname, join } from 'node:path'
import { isErrno } from './errno.ts'
import { isOfDeadMaker, type Mark, whileMaking } from './making.ts'
import { identity, isAbandoned, staleMs } from './pure/liveness.ts'
import { heartbeat } from './pure/process-name.ts'
import { isOfEnded } from './processes.ts'
import type { World } from './world.ts'

const prefix = 'dead-'

/** Returns whether `decide` ran. `decide` must not act any more once `inTime` returns false. */
export async function elect(
  lockDirectory: string,
  state: string,
  { fs, runtime }: World,
  decide: (inTime: () => boolean) => Promise<void>,
): Promise<boolean> {
  const started = runtime.monotonic()
  const claimed = await claim(join(dirname(lockDirectory), `${prefix}${state}`), { fs, runtime })
  if (claimed === undefined) return false
  try {
    await decide(() => runtime.monotonic() - started < staleMs / 2)
  } finally {
    await fs.rmdir(claimed).catch(() => {})
  }
  return true
}

async function claim(base: string, world: World): Promise<string | undefined> {
  const { fs, runtime } = world
  const home = dirname(base)
  for (let generation = 0; ; generation++) {
    const place = `${base}.${generation}`
    try {
      await whileMaking(home, world, (mark) => makeClaim(place, world, mark))
      return place
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
    }
    try {
      const stats = await fs.lstat(place)
      const isOver =
        isAbandoned(runtime.now() - Number(stats.mtimeMs)) ||
        isOfEnded(stats, runtime.processes) ||
        (await isOfDeadMaker(stats, home, world))
      if (!isOver) return undefined
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return undefined
      throw error
    }
  }
}

async function makeClaim(place: string, { fs, runtime }: World, { name, mode }: Mark): Promise<void> {
  const started = runtime.monotonic()
  await fs.mkdir(place, mode === undefined ? {} : { mode })
  // This winner is late and another process may have won since, so the lock may now belong to that process.
  if (name === undefined || runtime.monotonic() - started > staleMs / 2) return
  const { accessed, modified } = heartbeat(runtime.now(), name)
  await fs.utimes(place, accessed, modified).catch(() => {})
}

/** Removes claims of winners that died. A claim on a lock state that no longer exists decides nothing. */
export async function sweepClaims(lockDirectory: string, { fs, runtime }: World): Promise<void> {
  const home = dirname(lockDirectory)
  const current = await fs.lstat(lockDirectory).then(identity, () => '')
  for (const name of await fs.readdir(home)) {
    if (!name.startsWith(prefix) || name.startsWith(`${prefix}${current}.`)) continue
    const claimed = join(home, name)
    const stats = await fs.lstat(claimed).catch(() => undefined)
    if (stats !== undefined && Math.abs(runtime.now() - Number(stats.mtimeMs)) > 6 * staleMs)
      await fs.rmdir(claimed).catch(() => {})
  }
}
