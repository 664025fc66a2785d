/**
 * The queue of all callers in this process that want one lock, in the order they asked. One acquisition serves as many callers as fit into
 * a hold of limited length. After a full hold, or many short ones in a row, the lock is left free for a while, so that other processes get
 * their turn. The lock is released before the last caller gets its result, because that caller may then block this process for long, for
 * example while it waits for a child process that needs the lock.
 */
import { LockLostError, LockTimeoutError } from './errors.ts'
import type { FilePath } from './file-path.ts'
import { HeldLock } from './held-lock.ts'
import { staleMs } from './pure/liveness.ts'
import { longestPollMs } from './pure/rest.ts'
import { retakeLock, takeLock, type Sighting } from './take-lock.ts'
import { Turns } from './turns.ts'
import type { World } from './world.ts'

/** The right to write, for as long as the work that received it runs. */
export interface Hold {
  readonly root: FilePath
  /** Throws `LockLostError` if this process no longer has the lock. */
  check(): Promise<void>
}

/** What this package additionally reads from a hold. */
export interface LiveHold extends Hold {
  readonly lockDirectory: FilePath
  /** Identifies the locked directory, by whatever path; `undefined` if it does not exist. */
  readonly tag?: string | undefined
  /** Changes when a dead writer under this lock was found. */
  readonly deaths: bigint
  /** True if the last heartbeat is so old that an answer of `check` may already be outdated. */
  readonly late: boolean
}

export interface Waiting {
  readonly root: FilePath
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

interface Job {
  readonly timeoutMs: number
  readonly deadline: number
  /** Whether a timer for its timeout was started. */
  isTimed: boolean
  /** Aborted as soon as the job stops waiting. */
  waited: AbortController | undefined
  /** Resolves to a function that reports the result to the caller. */
  run(lock: HeldLock): Promise<() => void>
  refuse(reason: unknown): void
}

const holdMs = 200
/** Two holds with a shorter pause between them count as one. */
const gapMs = 5
const firstPollMs = 1
const lastTryMs = 250
/** A job gets a timer only after this time. Most jobs are served sooner, and a timer for each would cost more than the lock. */
const untimedMs = 20
const freeTries = 3
const triesPerAsking = 8
const longestTimerMs = 2 ** 31 - 1
/** A fixed abort reason, because without one each abort creates an error with a stack. */
const over = 'over'

export class LockQueue {
  readonly #lockDirectory: FilePath
  readonly #world: World
  readonly #sighting: Sighting = { identity: '', since: 0 }
  readonly #turns: Turns
  readonly #jobs: Job[] = []
  #serving = false
  #holding = false
  #isTiming = false
  /** Age of the last heartbeat seen on another holder's lock. */
  #ageMs = 0
  #restUntil = 0
  /** When the first of the holds that count as one began, and when the last hold ended. */
  #began = 0
  #releasedAt = -Infinity

  constructor(lockDirectory: FilePath, world: World) {
    this.#lockDirectory = lockDirectory
    this.#world = world
    this.#turns = new Turns(lockDirectory, world)
  }

  /** Whether the lock is held, is being waited for, or was just released. */
  get isRecent(): boolean {
    return this.#serving || this.#world.runtime.monotonic() - this.#releasedAt < gapMs
  }

  run<T>(work: (hold: LiveHold) => Promise<T>, waiting: Waiting): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job = this.#admit(waiting, reject, async (lock) => {
        const hold = new JobHold(waiting.root, this.#lockDirectory, lock)
        const settle = await outcomeOf(work, hold)
        hold.end()
        return () => settle(resolve, reject)
      })
      this.#jobs.push(job)
      void (waiting.timeoutMs < untimedMs ? this.#time(job) : this.#timeSoon())
      if (!this.#serving) void this.#serve()
    })
  }

  #admit({ timeoutMs, signal }: Waiting, reject: (reason: unknown) => void, start: Job['run']): Job {
    const deadline = this.#world.runtime.monotonic() + timeoutMs
    const remove = (): void => {
      const at = this.#jobs.indexOf(job)
      if (at >= 0) this.#jobs.splice(at, 1)
    }
    const job: Job = {
      timeoutMs,
      deadline,
      isTimed: false,
      waited: undefined,
      run(lock) {
        job.waited?.abort(over)
        return start(lock)
      },
      refuse(reason) {
        job.waited?.abort(over)
        remove()
        reject(reason)
      },
    }
    if (signal !== undefined) {
      job.waited = new AbortController()
      signal.addEventListener('abort', () => job.refuse(signal.reason), { once: true, signal: job.waited.signal })
    }
    return job
  }

  /** Starts the timers of jobs that wait behind other work of this process, or for a disk that does not respond. */
  async #timeSoon(): Promise<void> {
    if (this.#isTiming) return
    this.#isTiming = true
    await this.#world.runtime.sleep(untimedMs, undefined, { keepsAlive: false })
    this.#isTiming = false
    for (const job of this.#jobs) void this.#time(job)
  }

  async #time(job: Job): Promise<void> {
    if (job.isTimed || job.timeoutMs <= 0 || job.timeoutMs >= longestTimerMs) return
    job.isTimed = true
    job.waited ??= new AbortController()
    const { signal: waited } = job.waited
    // A timer stops while the process is suspended. So a job is not refused merely because the process was suspended.
    await this.#world.runtime.sleep(job.timeoutMs, waited)
    // If another process has the lock, `#acquire` makes a last attempt at the deadline.
    if (!this.#holding) await this.#world.runtime.sleep(lastTryMs, waited)
    if (!waited.aborted) job.refuse(this.#timeout(job, this.#holding ? undefined : this.#ageMs))
  }

  #timeout({ timeoutMs }: Job, ageMs: number | undefined): LockTimeoutError {
    return new LockTimeoutError(this.#lockDirectory, timeoutMs, staleMs, ageMs)
  }

  async #serve(): Promise<void> {
    this.#serving = true
    while (this.#jobs.length > 0) {
      const lock = await this.#acquire()
      if (lock === undefined) continue
      this.#holding = true
      const { runtime } = this.#world
      if (runtime.monotonic() - this.#releasedAt > gapMs) this.#began = runtime.monotonic()
      const settle = await this.#spend(lock, this.#began + holdMs)
      await lock.release()
      this.#holding = false
      this.#releasedAt = runtime.monotonic()
      settle()
      if (this.#releasedAt < this.#began + holdMs) continue
      this.#restUntil = this.#releasedAt + (await this.#turns.rest(this.#began))
      this.#began = this.#restUntil
    }
    this.#serving = false
  }

  /** Serves jobs. Returns the function that reports the result of the last one, to be called after the lock is released. */
  async #spend(lock: HeldLock, until: number): Promise<() => void> {
    let settle = nothing
    do {
      // After a suspension, a job that has not started waits for a new lock, which is better than failing with this one.
      if (lock.late && !(await isStillOurs(lock))) break
      settle()
      settle = (await this.#jobs.shift()?.run(lock)) ?? nothing
    } while (this.#jobs.length > 0 && !lock.lost && this.#world.runtime.monotonic() < until)
    return settle
  }

  /** Takes the lock; `undefined` if no job waits any more. */
  async #acquire(): Promise<HeldLock | undefined> {
    const { runtime } = this.#world
    let poll = firstPollMs
    let free = 0
    let tries = 0
    const rest = this.#restUntil - runtime.monotonic()
    if (rest > 0) await runtime.sleep(Math.min(rest, this.#untilDeadline()))
    while (this.#jobs.length > 0) {
      try {
        const take = tries === 0 ? takeLock : retakeLock
        const taken = await take(this.#lockDirectory, this.#world, this.#sighting)
        if (taken instanceof HeldLock) return taken
        this.#ageMs = taken.ageMs
        free = taken.againMs === 0 ? free + 1 : 0
        // A caller that finds the lock just released gets another attempt at its deadline, up to a limit.
        if (free === 0 || free > freeTries) this.#refuseOverdue()
        if (tries++ % triesPerAsking === 1 && taken.againMs > 0) await this.#turns.ask()
        const pause = Math.min(poll * (0.5 + runtime.random() / 2), taken.againMs, this.#untilDeadline())
        if (pause > 0) await runtime.sleep(pause)
        poll = Math.min(2 * poll, longestPollMs)
      } catch (error) {
        for (const job of this.#jobs.slice()) job.refuse(error)
      }
    }
    return undefined
  }

  #refuseOverdue(): void {
    const now = this.#world.runtime.monotonic()
    for (const job of this.#jobs.slice()) if (job.deadline <= now) job.refuse(this.#timeout(job, this.#ageMs))
  }

  #untilDeadline(): number {
    const soonest = Math.min(...this.#jobs.map((job) => job.deadline))
    return Math.max(0, soonest - this.#world.runtime.monotonic())
  }
}

const nothing = (): void => {}

type Settle<T> = (resolve: (value: T) => void, reject: (reason: unknown) => void) => void

async function outcomeOf<T>(work: (hold: LiveHold) => Promise<T>, hold: LiveHold): Promise<Settle<T>> {
  try {
    const value = await work(hold)
    return (resolve) => resolve(value)
  } catch (error) {
    return (_, reject) => reject(error)
  }
}

async function isStillOurs(lock: HeldLock): Promise<boolean> {
  try {
    return await lock.isOurs()
  } catch {
    return false
  }
}

class JobHold implements LiveHold {
  readonly root: FilePath
  readonly lockDirectory: FilePath
  readonly #lock: HeldLock
  #over = false

  constructor(root: FilePath, lockDirectory: FilePath, lock: HeldLock) {
    this.root = root
    this.lockDirectory = lockDirectory
    this.#lock = lock
  }

  get deaths(): bigint {
    return this.#lock.deaths
  }

  get late(): boolean {
    return this.#lock.late
  }

  async check(): Promise<void> {
    if (this.#over) throw new LockLostError(this.lockDirectory, 'the work it was held for has ended')
    if (!(await this.#lock.isOurs())) throw new LockLostError(this.lockDirectory)
  }

  end(): void {
    this.#over = true
  }
}
