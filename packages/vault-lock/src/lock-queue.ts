/**
 * Everybody in this process who wants one lock, in the order they asked. One acquisition serves as many of them as fit
 * into a bounded hold and stays a moment for the next; after a full hold the lock rests, so that other processes get
 * their turn.
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
  run(lock: HeldLock): Promise<void>
  refuse(reason: unknown): void
}

const holdMs = 200
const lingerMs = 5
const impatientMs = 1
const firstPollMs = 1
const lastTryMs = 250
const freeTries = 3
const triesPerAsking = 8
const longestTimerMs = 2 ** 31 - 1

export class LockQueue {
  readonly #lockDirectory: FilePath
  readonly #world: World
  readonly #sighting: Sighting = { identity: '', since: 0 }
  readonly #turns: Turns
  readonly #jobs: Job[] = []
  #serving = false
  #holding = false
  /** Of the heartbeat last seen on another holder's lock. */
  #ageMs = 0
  #restUntil = 0
  #wake: (() => void) | undefined

  constructor(lockDirectory: FilePath, world: World) {
    this.#lockDirectory = lockDirectory
    this.#world = world
    this.#turns = new Turns(lockDirectory, world)
  }

  /** Whether a lock is held, lingering or asked for. */
  get serving(): boolean {
    return this.#serving
  }

  run<T>(work: (hold: LiveHold) => Promise<T>, waiting: Waiting): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const job = this.#admit(waiting, reject, async (lock) => {
        const hold = new JobHold(waiting.root, this.#lockDirectory, lock)
        await work(hold)
          .finally(() => hold.end())
          .then(resolve, reject)
      })
      this.#jobs.push(job)
      this.#wake?.()
      if (!this.#serving) void this.#serve()
    })
  }

  #admit({ timeoutMs, signal }: Waiting, reject: (reason: unknown) => void, start: Job['run']): Job {
    const deadline = this.#world.runtime.monotonic() + timeoutMs
    const remove = (): void => {
      const at = this.#jobs.indexOf(job)
      if (at >= 0) this.#jobs.splice(at, 1)
    }
    // A lock that lingers is taken at once; for everybody else two things may end the waiting early.
    const waited = this.#wake === undefined ? new AbortController() : undefined
    const job: Job = {
      timeoutMs,
      deadline,
      run(lock) {
        waited?.abort()
        return start(lock)
      },
      refuse(reason) {
        waited?.abort()
        remove()
        reject(reason)
      },
    }
    if (waited === undefined) return job
    signal?.addEventListener('abort', () => job.refuse(signal.reason), { once: true, signal: waited.signal })
    if (timeoutMs > 0 && timeoutMs < longestTimerMs) void this.#expire(job, waited.signal)
    return job
  }

  /** For those who wait behind work of this process, or for a disk that does not answer. */
  async #expire(job: Job, waited: AbortSignal): Promise<void> {
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
      const began = this.#world.runtime.monotonic()
      const full = await this.#spend(lock, began + holdMs)
      await lock.release()
      this.#holding = false
      if (full) this.#restUntil = this.#world.runtime.monotonic() + (await this.#turns.rest(began))
    }
    this.#serving = false
  }

  /** Whether the hold ended because others shall have their turn. */
  async #spend(lock: HeldLock, until: number): Promise<boolean> {
    const { runtime } = this.#world
    do {
      while (this.#jobs.length > 0) {
        // After a standstill a job that has not begun is better served by a new lock than refused with this one.
        if (lock.late && !(await isStillOurs(lock))) return false
        await this.#jobs.shift()?.run(lock)
        if (lock.lost) return false
        if (runtime.monotonic() >= until) return true
      }
    } while (await this.#lingers(until - runtime.monotonic()))
    return false
  }

  /** Whether the next caller of this process came in time. Those of other processes cut the lingering short. */
  async #lingers(leftMs: number): Promise<boolean> {
    if (await this.#wakesWithin(Math.min(impatientMs, leftMs))) return true
    if (leftMs <= impatientMs || (await this.#turns.isAsked())) return this.#jobs.length > 0
    return this.#wakesWithin(Math.min(lingerMs, leftMs) - impatientMs)
  }

  async #wakesWithin(ms: number): Promise<boolean> {
    if (this.#jobs.length > 0) return true
    const woken = new AbortController()
    this.#wake = () => {
      this.#wake = undefined
      woken.abort()
    }
    await this.#world.runtime.sleep(ms, woken.signal)
    this.#wake = undefined
    return this.#jobs.length > 0
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
