/**
 * Everybody in this process who wants one lock, in the order they asked. One acquisition serves as many of them as fit
 * into a bounded hold; after a full one, or many short ones in a row, the lock rests, so that other processes get their turn.
 * The lock is given back before the last caller hears of it: what that caller does next may stop this process for long, as a
 * child it waits for does, and that child may want the lock.
 */
import { LockLostError, LockTimeoutError } from './errors.ts'
import type { FilePath } from './file-path.ts'
import { HeldLock } from './held-lock.ts'
import { staleMs } from './pure/liveness.ts'
import { longestPollMs } from './pure/rest.ts'
import { retakeLock, takeLock, type Sighting } from './take-lock.ts'
import { Turns } from './turns.ts'
import type { World } from './world.ts'

/** The right to write, while the work it was given to runs. */
export interface Hold {
  readonly root: FilePath
  /** Throws `LockLostError` once the lock is no longer ours. */
  check(): Promise<void>
}

/** What else our own code reads from a hold. */
export interface LiveHold extends Hold {
  readonly lockDirectory: FilePath
  /** Stands for the directory under lock, by whatever path; nothing where there is none. */
  readonly tag?: string | undefined
  /** Changes when a writer under this lock was found dead. */
  readonly deaths: bigint
  /** So long without a sign of life that an answer of `check` may be worth nothing by now. */
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
  /** Whether it will be refused in time. */
  isTimed: boolean
  /** Aborted once it waits no more. */
  waited: AbortController | undefined
  /** Answers what tells the caller how it went. */
  run(lock: HeldLock): Promise<() => void>
  refuse(reason: unknown): void
}

const holdMs = 200
/** Two holds with less between them count as one. */
const gapMs = 5
const firstPollMs = 1
const lastTryMs = 250
/** Most are served sooner, and a timer for each costs more than the lock. */
const untimedMs = 20
const freeTries = 3
const triesPerAsking = 8
const longestTimerMs = 2 ** 31 - 1
/** Without a reason of its own, each abort makes an error with a stack. */
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
  /** Of the heartbeat last seen on another holder's lock. */
  #ageMs = 0
  #restUntil = 0
  /** The first of the holds that count as one, and when the last one of all ended. */
  #began = 0
  #releasedAt = -Infinity

  constructor(lockDirectory: FilePath, world: World) {
    this.#lockDirectory = lockDirectory
    this.#world = world
    this.#turns = new Turns(lockDirectory, world)
  }

  /** Whether a lock is held or asked for, or was just given back. */
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

  /** For those who wait behind work of this process, or for a disk that does not answer. */
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
    // A little late, but by no clock that a standstill moves on: who could not be served meanwhile still is.
    await this.#world.runtime.sleep(job.timeoutMs, waited)
    // Where another process has the lock, `#acquire` tries a last time at the deadline.
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

  /** What tells the last one served how it went, for when the lock is given back. */
  async #spend(lock: HeldLock, until: number): Promise<() => void> {
    let settle = nothing
    do {
      // After a standstill a job that has not begun is better served by a new lock than refused with this one.
      if (lock.late && !(await isStillOurs(lock))) break
      settle()
      settle = (await this.#jobs.shift()?.run(lock)) ?? nothing
    } while (this.#jobs.length > 0 && !lock.lost && this.#world.runtime.monotonic() < until)
    return settle
  }

  /** `undefined` once nobody waits any more. */
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
        // Who finds it just freed gets another try at the deadline, but not for ever.
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
