/**
 * Lets one writer at a time change the files under a root. It serialises all processes of this machine that use this package, by whatever
 * path and in whatever environment, and programs in other languages that take the same environment's lock.
 */
import type { FilePath } from './file-path.ts'
import { nodeFileSystem, type FileSystem } from './file-system.ts'
import { defaultLockRoot, lockDirectory, lockIn } from './lock-directory.ts'
import { LockPlace } from './lock-place.ts'
import { LockQueue, type Hold, type LiveHold, type Waiting } from './lock-queue.ts'
import { isMoved, JointHold, moved, PlacedHold } from './placed-hold.ts'
import { realPath } from './real-path.ts'
import { nodeRuntime, type LockRuntime } from './runtime.ts'
import type { World } from './world.ts'

/** Options of `vaultMutex`. */
export interface MutexOptions {
  /** How long to wait for the lock. With 0, the lock is tried once. */
  readonly timeoutMs?: number
  /** Aborts the waiting. Work that has started continues. */
  readonly signal?: AbortSignal
  /** The hold of the work that makes this call, so that it does not wait for a lock it already holds. */
  readonly within?: Hold
  /** Directory of the locks (default: the directory that the environment names). */
  readonly lockRoot?: FilePath
  readonly fs?: FileSystem
  readonly runtime?: LockRuntime
}

export const defaultTimeoutMs = 10_000

/** How often the writers may switch to another lock while this call waits, before it gives up. */
const mostRounds = 8

/**
 * Runs `work` while holding the lock of a root: one writer at a time among all processes of this machine. Throws an
 * error with code `LOCK_TIMEOUT` when the lock cannot be taken in time.
 *
 * @example
 * ```ts
 * import { filePath, vaultMutex } from '@agentm/vault-lock'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const vault = filePath(await mkdtemp(path.join(tmpdir(), 'vault-')))
 * const done = await vaultMutex(vault, async () => 'nobody else wrote meanwhile', { timeoutMs: 5000 })
 * console.log(done) // nobody else wrote meanwhile
 * ```
 */
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
  const deadline = world.runtime.monotonic() + timeoutMs
  const leftMs = (): number => Math.max(0, deadline - world.runtime.monotonic())
  for (let round = 1; ; round++) {
    const place = await placeOf(root, lockRoot, world)
    if (place.found.standing.kind === 'away') await place.meet(leftMs, signal)
    signal?.throwIfAborted()
    const queues = place.locks.map((lock) => queueOf(lock, world))
    const waits = { root, timeoutMs: round === 1 ? timeoutMs : leftMs(), signal, leftMs }
    const outcome = await under(queues, waits, async (held) => {
      const joint = new JointHold(root, held, place)
      if (!(await place.mayBegin(joint.locks, joint))) return undefined
      return { value: await work(new PlacedHold(joint, place)) }
    })
    if (outcome !== undefined) return outcome.value
    if (round >= mostRounds) throw moved(place.own)
  }
}

/** Like `vaultMutex`, for work that can be repeated: it starts over if the writers switched to another lock while it ran. */
export async function underLock<T>(
  root: FilePath,
  work: (hold: Hold) => Promise<T>,
  options: MutexOptions = {},
): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await vaultMutex(root, work, options)
    } catch (error) {
      if (!isMoved(error) || round >= mostRounds) throw error
    }
  }
}

interface Waits extends Waiting {
  readonly leftMs: () => number
}

/** Takes the locks one after the other, then runs the work. */
async function under<T>(
  [queue, ...others]: readonly LockQueue[],
  waits: Waits,
  work: (held: readonly LiveHold[]) => Promise<T>,
): Promise<T> {
  if (queue === undefined) return work([])
  return queue.run(async (hold) => {
    if (others.length === 0) return work([hold])
    return under(others, { ...waits, timeoutMs: waits.leftMs() }, (held) => work([hold, ...held]))
  }, waits)
}

async function isSameLock(within: Hold, root: FilePath, lockRoot: FilePath, { fs }: World): Promise<boolean> {
  const { own, lockDirectory: held } = within as Partial<PlacedHold>
  const lock = await lockDirectory(root, lockRoot, fs)
  return own === lock || held === lock
}

/**
 * State for each file system and clock: the queue of each lock, the place of each lock of this environment, and the resolved spellings of
 * each path.
 */
interface Known {
  readonly queues: Map<FilePath, LockQueue>
  readonly places: Map<FilePath, LockPlace>
  readonly bySpelling: Map<string, LockPlace>
  readonly resolving: Map<string, Promise<LockPlace>>
}

/** One entry for each file system and clock. Only tests use other ones than the real ones. */
const worlds = new WeakMap<FileSystem, WeakMap<LockRuntime, Known>>()

async function placeOf(root: FilePath, lockRoot: FilePath, world: World): Promise<LockPlace> {
  const known = knownIn(world)
  const spelling = `${lockRoot}\0${root}`
  const place = known.bySpelling.get(spelling)
  // While a lock is in use, the path of its root is not resolved again. If a link changes meanwhile, the next hold uses the new target.
  if (place !== undefined && known.queues.get(place.own)?.isRecent === true) return place
  // Callers that arrive while the path is being resolved wait for the same result, so that all are served in order.
  const resolving = known.resolving.get(spelling) ?? findPlace(root, lockRoot, world, known)
  known.resolving.set(spelling, resolving)
  try {
    const found = await resolving
    known.bySpelling.set(spelling, found)
    return found
  } finally {
    known.resolving.delete(spelling)
  }
}

async function findPlace(root: FilePath, lockRoot: FilePath, world: World, { places }: Known): Promise<LockPlace> {
  const resolved = await realPath(root, world.fs)
  const own = lockIn(lockRoot, resolved)
  const place = places.get(own) ?? new LockPlace(resolved as FilePath, own, world)
  places.set(own, place)
  await place.locate()
  await place.look()
  return place
}

function queueOf(lock: FilePath, world: World): LockQueue {
  const { queues } = knownIn(world)
  const queue = queues.get(lock) ?? new LockQueue(lock, world)
  queues.set(lock, queue)
  return queue
}

function knownIn({ fs, runtime }: World): Known {
  const clocks = worlds.get(fs) ?? new WeakMap<LockRuntime, Known>()
  const known = clocks.get(runtime) ?? {
    queues: new Map(),
    places: new Map(),
    bySpelling: new Map(),
    resolving: new Map(),
  }
  worlds.set(fs, clocks.set(runtime, known))
  return known
}
