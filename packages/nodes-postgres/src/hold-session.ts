/**
 * A lock on the server that lasts as long as one connection of this process. When the process dies, the server releases it at once, so
 * others need not wait for the lease. Behind a transaction pooler a connection does not belong to one process, so only the lease counts.
 */
import { createHash } from 'node:crypto'
import type { SessionHold } from '@agentm/nodes'
import type pg from 'pg'
import type { Database } from './database.ts'

export async function holdSession(database: Database, session: string): Promise<SessionHold> {
  if (database.settings.pooled) return { release: async () => undefined }
  const holder = new Holder(database, session)
  await holder.acquire()
  return { release: async () => holder.release() }
}

class Holder {
  readonly #database: Database
  readonly #session: string
  readonly #key: string
  #client: pg.Client | undefined
  #released = false

  constructor(database: Database, session: string) {
    this.#database = database
    this.#session = session
    this.#key = createHash('sha256').update(`${database.schema} ${session}`).digest().readBigInt64BE(0).toString()
  }

  async acquire(): Promise<void> {
    const client = await this.#database.connect('agentm hold', { watched: true })
    client.on('end', () => this.#lost(client))
    // The lock is taken before it is recorded, because otherwise another process could look in between.
    await client.query('select pg_advisory_lock($1::bigint)', [this.#key])
    await client.query(
      `update ${this.#database.schema}.sessions set hold_key = $2::bigint, hold_at = clock_timestamp() where id = $1`,
      [this.#session, this.#key],
    )
    this.#client = client
    if (this.#released) await this.#letGo(client)
  }

  async release(): Promise<void> {
    if (this.#released) return
    this.#released = true
    await this.#letGo(this.#client)
  }

  async #letGo(client: pg.Client | undefined): Promise<void> {
    const { schema } = this.#database
    const letGo = {
      text: `update ${schema}.sessions set hold_key = null, hold_at = null where id = $1`,
      values: [this.#session],
      query_timeout: 1000,
    }
    await client?.query(letGo).catch(() => undefined)
    await this.#database.disconnect(client)
  }

  /** Takes the lock again, as soon as the server is available, if the connection broke while the process lives. */
  #lost(client: pg.Client): void {
    if (this.#released || this.#database.closed || this.#client !== client) return
    this.#client = undefined
    void this.#again()
  }

  async #again(): Promise<void> {
    for (let pause = 50; !this.#released && !this.#database.closed; pause = Math.min(2000, pause * 2)) {
      try {
        await this.acquire()
        return
      } catch {
        // Until then only the lease shows that this process lives.
        await this.#database.settings.runtime.sleep(pause)
      }
    }
  }
}
