/**
 * The queue of all writes of this process. Writes that arrive while a transaction waits or runs go into the next group commit. SQLite's
 * busy handler can starve a writer when many compete, so this queue waits itself: in short random steps, with a timeout.
 */
import type { Durability, StoreRuntime } from '@agentm/nodes'
import { StoreBusyError, StoreClosedError } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import { sqliteBusy, sqliteCode } from './database.ts'

interface Job {
  readonly work: () => unknown
  readonly durability: Durability
  readonly last: boolean
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

export interface WriteQueueOptions {
  readonly runtime: Pick<StoreRuntime, 'random' | 'sleep'>
  /** How long a write waits for other writers. */
  readonly patienceMs: number
  readonly onCommit: () => void
}

export interface WriteOptions {
  readonly durability: Durability
  readonly last?: boolean
}

/** The largest number of jobs in one commit, so that no job waits too long. */
const groupLimit = 512

const loopShareMs = 10

export class WriteQueue {
  readonly #connection: Connection
  readonly #options: WriteQueueOptions
  readonly #jobs: Job[] = []
  #running: Promise<void> | undefined
  #synchronous: Durability | undefined
  #closed = false
  #gaveWayAt = performance.now()

  constructor(connection: Connection, options: WriteQueueOptions) {
    this.#connection = connection
    this.#options = options
    connection.exec('pragma busy_timeout = 0')
  }

  /**
   * Runs `work` inside a transaction. If it throws, only its own writes are undone. Resolves after the commit. With `last`, `work` runs
   * after all others of its group. `work` may run twice; the writes of the first run are then undone.
   */
  run<T>(work: () => T, { durability, last = false }: WriteOptions): Promise<T> {
    if (this.#closed) return Promise.reject(new StoreClosedError())
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, durability, last, resolve, reject })
      this.#running ??= this.#drain()
    })
  }

  /** Runs `work` outside any transaction, while no other write of this process runs. */
  async alone<T>(work: () => T): Promise<T> {
    while (this.#running !== undefined) await this.#running
    if (this.#closed) throw new StoreClosedError()
    let answer: T | undefined
    this.#running = (async () => {
      try {
        answer = await this.#patiently(work)
      } finally {
        this.#running = undefined
        if (this.#jobs.length > 0) this.#running = this.#drain()
      }
    })()
    await this.#running
    return answer as T
  }

  async close(): Promise<void> {
    this.#closed = true
    while (this.#running !== undefined) await this.#running
  }

  async #drain(): Promise<void> {
    while (this.#jobs.length > 0) {
      await this.#endOfTurn()
      await this.#commitGroup()
    }
    this.#running = undefined
  }

  /**
   * Waits for the end of the turn, so that writes that follow directly from the last commit join the next one. Now and then it lets the
   * event loop run timers, because otherwise a steady stream of writes would delay them, above all lease renewals.
   */
  async #endOfTurn(): Promise<void> {
    const now = performance.now()
    if (now - this.#gaveWayAt < loopShareMs) return new Promise((resolve) => process.nextTick(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    this.#gaveWayAt = performance.now()
  }

  async #commitGroup(): Promise<void> {
    let group: readonly Job[] = []
    try {
      await this.#patiently(() => {
        group = this.#jobs.slice(0, groupLimit)
        this.#level(group.some(({ durability }) => durability === 'full') ? 'full' : 'normal')
        this.#connection.run('begin immediate')
      })
    } catch (error) {
      for (const job of this.#jobs.splice(0)) job.reject(error)
      return
    }
    this.#jobs.splice(0, group.length)
    await this.#perform(group)
  }

  async #perform(group: readonly Job[]): Promise<void> {
    const [only] = group
    if (only !== undefined && group.length === 1) return this.#performAlone(only)
    const inOrder = [false, true].flatMap((last) => group.filter((job) => job.last === last))
    if (!this.#performTogether(inOrder)) await this.#performApart(inOrder)
  }

  #performAlone({ work, resolve, reject }: Job): void {
    let answer: unknown
    try {
      answer = work()
      this.#commit()
    } catch (error) {
      this.#rollback()
      reject(error)
      return
    }
    this.#options.onCommit()
    resolve(answer as never)
  }

  /**
   * Runs the group in one transaction without savepoints, because each savepoint copies every page that is written after it. If one job is
   * refused, all are undone and the result is `false`.
   */
  #performTogether(group: readonly Job[]): boolean {
    const answers: unknown[] = []
    try {
      for (const { work } of group) answers.push(work())
      this.#commit()
    } catch (error) {
      this.#rollback()
      if (sqliteCode(error) === undefined) return false
      for (const { reject } of group) reject(error)
      return true
    }
    this.#options.onCommit()
    group.forEach(({ resolve }, i) => resolve(answers[i] as never))
    return true
  }

  /** Runs each job again with its own savepoint, so that a refusal affects only its own job. */
  async #performApart(group: readonly Job[]): Promise<void> {
    const settled: (() => void)[] = []
    try {
      await this.#patiently(() => this.#connection.run('begin immediate'))
      for (const job of group) settled.push(this.#performInGroup(job))
      this.#commit()
    } catch (error) {
      this.#rollback()
      for (const { reject } of group) reject(error)
      return
    }
    this.#options.onCommit()
    for (const settle of settled) settle()
  }

  #performInGroup({ work, resolve, reject }: Job): () => void {
    this.#connection.exec('savepoint job')
    try {
      const answer = work()
      this.#connection.exec('release job')
      return () => resolve(answer as never)
    } catch (error) {
      // A full disk or a damaged file undoes the whole transaction. A refusal undoes only its own writes.
      if (sqliteCode(error) !== undefined) throw error
      this.#connection.exec('rollback to job; release job')
      return () => reject(error)
    }
  }

  #commit(): void {
    const { changes } = this.#connection
    this.#connection.run('commit')
    changes.forget({ committed: true })
  }

  #rollback(): void {
    this.#connection.changes.forget({ committed: false })
    try {
      this.#connection.exec('rollback')
    } catch {
      // SQLite has already rolled back.
    }
  }

  /** The level cannot be changed inside a transaction, so a group gets the highest level of its members. */
  #level(durability: Durability): void {
    if (this.#synchronous === durability) return
    this.#connection.exec(`pragma synchronous = ${durability}`)
    this.#synchronous = durability
  }

  async #patiently<T>(attempt: () => T): Promise<T> {
    const { patienceMs, runtime } = this.#options
    const started = performance.now()
    for (let tries = 0; ; tries++) {
      try {
        return attempt()
      } catch (error) {
        if (sqliteCode(error) !== sqliteBusy) throw error
        const waited = performance.now() - started
        if (waited > patienceMs) throw new StoreBusyError(waited, { cause: error })
      }
      const pause = 0.2 + runtime.random()
      // Timers cannot be shorter than a millisecond. A few short blocking waits cost less than missing the gap between two writers.
      if (tries % 4 < 3) Atomics.wait(pauseCell, 0, 0, pause)
      else await runtime.sleep(pause)
    }
  }
}

const pauseCell = new Int32Array(new SharedArrayBuffer(4))
