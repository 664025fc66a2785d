/**
 * Removes what killed writers left in a directory that is being written. Under the lock a remnant was written under
 * there is no doubt whose it is; of all others only age tells that nobody is still writing them.
 */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { FilePath } from './file-path.ts'
import { nodeFileSystem } from './file-system.ts'
import type { Hold, LiveHold } from './lock-queue.ts'
import { remnantKind, unlockedTag } from './pure/temporary-name.ts'
import { nodeRuntime } from './runtime.ts'
import type { World } from './world.ts'

const oldMs = 3_600_000
const rememberedDirectories = 10_000

/** Files this process is writing right now: other work of the same hold may be what sweeps. */
export const inFlight = new Set<string>()

/** Directories swept under a lock, and the state of its deaths at that time: another death is a reason to look again. */
const swept = new Map<string, bigint>()
const tags = new Map<string, string>()

/** Once per directory and process, and again after a writer was found dead. Never fails: a write matters more. */
export async function sweepRemnants(directory: FilePath, hold: Hold, world: Partial<World> = {}): Promise<void> {
  const { fs = nodeFileSystem, runtime = nodeRuntime } = world
  const { lockDirectory = '', deaths = 0n } = hold as Partial<LiveHold>
  const place = `${lockDirectory}\0${directory}`
  if (swept.get(place) === deaths) return
  try {
    for (const name of await fs.readdir(directory)) await sweepOne(join(directory, name), name, hold, { fs, runtime })
    if (swept.size >= rememberedDirectories) swept.clear()
    swept.set(place, deaths)
  } catch {
    // Absent, or not ours to list. Not remembered, so the next write tries again.
  }
}

async function sweepOne(path: string, name: string, hold: Hold, { fs, runtime }: World): Promise<void> {
  const kind = remnantKind(name, tagOf(hold))
  if (kind === undefined || inFlight.has(path)) return
  const stats = await fs.lstat(path)
  if (!stats.isFile()) return
  if (kind === 'old' && runtime.now() - Number(stats.mtimeMs) <= oldMs) return
  await hold.check()
  await fs.unlink(path)
}

/** Stands for the lock in the names of files written under it. */
export function tagOf(hold: Hold | undefined): string {
  const { lockDirectory } = (hold ?? {}) as Partial<LiveHold>
  if (lockDirectory === undefined) return unlockedTag
  const tag = tags.get(lockDirectory) ?? createHash('sha256').update(lockDirectory).digest('hex').slice(0, 10)
  if (tags.size >= rememberedDirectories) tags.clear()
  tags.set(lockDirectory, tag)
  return tag
}
