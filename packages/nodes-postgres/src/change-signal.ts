/**
 * Wakes waiting feeds: at once after appends of this process, by NOTIFY after those of others, and by a timer if neither arrives.
 * Notifications are sent after the commit and bundled, because inside the transaction they would make all commits of the database wait for
 * each other.
 */
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Database } from './database.ts'

/** If a notification is lost, a feed checks after at most one second. */
const floorMs = 1000
const bundleMs = 10
/**
 * The shortest pause between two checks of a feed during many changes. The first change of a burst is seen at once. This process knows its
 * own writes without a check.
 */
const restMs = { own: 10, others: 5 }

export class ChangeSignal {
  readonly #database: Database
  readonly #listens: boolean
  readonly #channel: string
  /** Part of every notification, so that this process ignores its own notifications; unique for each process. */
  readonly #self = randomUUID()
  readonly #waiting = new Set<(woken: boolean) => void>()
  #news = 0
  #wokeAt = -restMs.own
  #rest: NodeJS.Timeout | undefined
  #floor: NodeJS.Timeout | undefined
  #client: pg.Client | undefined
  /** A connection that does not listen yet. */
  #opening: pg.Client | undefined
  #connecting: Promise<void> | undefined
  #retryAt = 0
  #retryMs = 100
  #told = false
  #again = false
  #sending: Promise<void> = Promise.resolve()
  #quietMs = 25
  #closed = false

  constructor(database: Database, { listens, channel }: { readonly listens: boolean; readonly channel: string }) {
    this.#database = database
    this.#listens = listens
    this.#channel = channel
  }

  /** Changes with every notification. If it differs from the value before the last check, that check may have missed something. */
  get news(): number {
    return this.#news
  }

  /** To be called after a commit of this process. */
  appended(): void {
    this.#tell(restMs.own)
    if (this.#told) {
      this.#again = true
      return
    }
    this.#told = true
    this.#sending = this.#tellOthers()
  }

  /**
   * Resolves when there may be something new, the signal aborts, or the timer ends. `soon` if a gap may be filled at any moment; `news` is
   * the value before the previous check.
   */
  async wait(
    signal: AbortSignal | undefined,
    { soon, news }: { readonly soon: boolean; readonly news: number },
  ): Promise<void> {
    if (this.#closed || signal?.aborted === true) return
    void this.#listen()
    const heard = this.#client !== undefined
    const paused = this.#pause(signal, soon ? 5 : heard ? floorMs : this.#quietMs)
    if (news !== this.#news) this.#wakeSoon(restMs.own)
    const woken = await paused
    // Without notifications, checks are frequent during changes and once a second otherwise.
    this.#quietMs = woken ? 25 : Math.min(floorMs, this.#quietMs * 2)
  }

  /** To be called when a check found something, because more may follow. */
  busy(): void {
    this.#quietMs = 25
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#rest)
    this.#wake(true)
    await this.#sending
    await this.#database.disconnect(this.#opening)
    await this.#connecting
    await this.#database.disconnect(this.#client)
    this.#client = undefined
  }

  async #pause(signal: AbortSignal | undefined, ms: number): Promise<boolean> {
    return new Promise((resolve) => {
      const finish = (woken: boolean) => {
        this.#waiting.delete(finish)
        signal?.removeEventListener('abort', stop)
        resolve(woken)
      }
      const stop = () => finish(false)
      this.#waiting.add(finish)
      signal?.addEventListener('abort', stop)
      this.#wakeAllIn(ms)
    })
  }

  /** One timer for all waiting feeds, so that many feeds check as often as one. */
  #wakeAllIn(ms: number): void {
    if (this.#floor !== undefined && ms >= floorMs) return
    clearTimeout(this.#floor)
    this.#floor = setTimeout(() => this.#wake(false), ms * (0.9 + 0.2 * this.#database.settings.runtime.random()))
  }

  #tell(rest: number): void {
    this.#news += 1
    this.#wakeSoon(rest)
  }

  #wakeSoon(rest: number): void {
    if (this.#waiting.size === 0) return
    const left = this.#wokeAt + rest - performance.now()
    clearTimeout(this.#rest)
    if (left <= 0) this.#wake(true)
    else this.#rest = setTimeout(() => this.#wake(true), left)
  }

  #wake(woken: boolean): void {
    clearTimeout(this.#floor)
    clearTimeout(this.#rest)
    this.#floor = this.#rest = undefined
    if (this.#waiting.size > 0) this.#wokeAt = performance.now()
    for (const finish of this.#waiting) finish(woken)
  }

  async #tellOthers(): Promise<void> {
    do {
      this.#again = false
      // If the notification is lost, other processes check within a second.
      await this.#database.read({ text: tell, values: [this.#channel, this.#self] }).catch(() => undefined)
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, bundleMs))
    } while (this.#again && !this.#closed)
    this.#told = false
  }

  async #listen(): Promise<void> {
    if (!this.#listens || this.#closed || this.#client !== undefined || this.#connecting !== undefined) return
    if (performance.now() < this.#retryAt) return
    this.#connecting = this.#connect()
      .catch(() => {
        this.#retryAt = performance.now() + this.#retryMs
        this.#retryMs = Math.min(10_000, this.#retryMs * 2)
      })
      .finally(() => {
        this.#connecting = undefined
      })
    await this.#connecting
  }

  async #connect(): Promise<void> {
    const client = await this.#database.connect('agentm feed', { watched: true })
    this.#opening = client
    client.on('notification', ({ payload }) => {
      if (payload !== this.#self) this.#tell(restMs.others)
    })
    client.on('end', () => {
      if (this.#client === client) this.#client = undefined
      this.#tell(restMs.others)
    })
    await client.query(`listen "${this.#channel}"`).finally(() => (this.#opening = undefined))
    this.#retryMs = 100
    if (this.#closed) await this.#database.disconnect(client)
    else this.#client = client
    // Commits before the connection listened were not notified, so feeds check now.
    this.#tell(restMs.others)
  }
}

/** A notification need not survive a crash, so it does not wait for the disk and does not delay the next append. */
const tell = `select set_config('synchronous_commit', 'off', true), pg_notify($1, $2)`
