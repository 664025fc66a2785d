/**
 * One writer at a time for everything under a root, among all processes of this machine that use the same lock
 * directory, whatever language they are written in.
 */
import type { FilePath } from './file-path.ts'
import { nodeFileSystem, type FileSystem } from './file-system.ts'
import { defaultLockRoot, lockDirectory } from './lock-directory.ts'
import { LockQueue, type Hold, type LiveHold } from './lock-queue.ts'
import { nodeRuntime, type Runtime } from './runtime.ts'
import type { World } from './world.ts'

export interface MutexOptions {
  /** How long to wait for the lock; 0 is one try. */
  readonly timeoutMs?: number
  /** Ends the waiting. Work that has begun goes on. */
  readonly signal?: AbortSignal
  /** The hold of the work this is called from: the same lock is not waited for again. */
  readonly within?: Hold
  /** Instead of the directory the environment names. All who share the root must use the same. */
  readonly lockRoot?: FilePath
  readonly fs?: FileSystem
  readonly runtime?: Runtime
}

export const defaultTimeoutMs = 10_000

export async function vaultMutex<T>(
  root: FilePath,
  work: (hold: Hold) => Promise<T>,
  options: MutexOptions = {},
): Promise<T> {
  const { within, timeoutMs = defaultTimeoutMs, signal, lockRoot = defaultLockRoot() } = options
  const world: World = { fs: options.fs ?? nodeFileSystem, runtime: options.runtime ?? nodeRuntime }
  signal?.throwIfAborted()
  if (within !== undefined && (await isSameLock(within, root, lockRoot, world))) {
    await within.check()
    return work(within)
  }
  const queue = await queueFor(root, lockRoot, world)
  signal?.throwIfAborted()
  return queue.run(async (hold) => work(hold), { root, timeoutMs, signal })
}

async function isSameLock(within: Hold, root: FilePath, lockRoot: FilePath, { fs }: World): Promise<boolean> {
  const { lockDirectory: held } = within as Partial<LiveHold>
  return held === (await lockDirectory(root, lockRoot, fs))
}

/** Queues by lock directory, and the spellings that lead to each; per file system and clock, which only tests replace. */
interface Queues {
  readonly byLock: Map<FilePath, LockQueue>
  readonly bySpelling: Map<string, LockQueue>
  readonly resolving: Map<string, Promise<LockQueue>>
}

const worlds = new WeakMap<FileSystem, WeakMap<Runtime, Queues>>()

async function queueFor(root: FilePath, lockRoot: FilePath, world: World): Promise<LockQueue> {
  const queues = queuesOf(world)
  const spelling = `${lockRoot}\0${root}`
  // While a lock is in use its root is not resolved anew; a link that moves meanwhile counts from the next hold.
  const known = queues.bySpelling.get(spelling)
  if (known?.isRecent === true) return known
  // Who comes while it is resolved waits for the same answer, so that all are served in the order they came.
  const resolving = queues.resolving.get(spelling) ?? findQueue(root, lockRoot, world, queues)
  queues.resolving.set(spelling, resolving)
  try {
    const queue = await resolving
    queues.bySpelling.set(spelling, queue)
    return queue
  } finally {
    queues.resolving.delete(spelling)
  }
}

async function findQueue(root: FilePath, lockRoot: FilePath, world: World, { byLock }: Queues): Promise<LockQueue> {
  const at = await lockDirectory(root, lockRoot, world.fs)
  const queue = byLock.get(at) ?? new LockQueue(at, world)
  byLock.set(at, queue)
  return queue
}

function queuesOf({ fs, runtime }: World): Queues {
  const clocks = worlds.get(fs) ?? new WeakMap<Runtime, Queues>()
  const queues = clocks.get(runtime) ?? { byLock: new Map(), bySpelling: new Map(), resolving: new Map() }
  worlds.set(fs, clocks.set(runtime, queues))
  return queues
}
