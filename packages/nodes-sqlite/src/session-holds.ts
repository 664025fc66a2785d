/**
 * One file per session, locked exclusively by the live process. The operating system releases the lock however the process dies, so a
 * process that can take the lock knows that the owner is dead. This only shortens the wait for the lease to expire.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, sqliteBusy, sqliteCode, type SqliteModule } from './database.ts'

export class SessionHolds {
  readonly #sqlite: SqliteModule
  readonly #folder: string
  readonly #own = new Map<string, Database>()

  constructor(sqlite: SqliteModule, path: string) {
    this.#sqlite = sqlite
    this.#folder = `${path}-sessions`
  }

  acquire(session: string): () => void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const database = new this.#sqlite.DatabaseSync(this.#file(session))
    database.exec('pragma journal_mode = memory; begin exclusive')
    this.#own.set(session, database)
    return () => this.remove(session)
  }

  /** Whether the process of a session with a hold file is dead. */
  isDead(session: string): boolean {
    if (this.#own.has(session)) return false
    const file = this.#file(session)
    if (!existsSync(file)) return true
    const database = new this.#sqlite.DatabaseSync(file)
    try {
      database.exec('pragma busy_timeout = 0; begin exclusive')
      return true
    } catch (error) {
      if (sqliteCode(error) === sqliteBusy) return false
      throw error
    } finally {
      database.close()
    }
  }

  /** Releases the hold of this process, or removes the file that a dead process left. */
  remove(session: string): void {
    this.#own.get(session)?.close()
    this.#own.delete(session)
    rmSync(this.#file(session), { force: true })
  }

  close(): void {
    for (const session of this.#own.keys()) this.remove(session)
  }

  #file(session: string): string {
    return join(this.#folder, `${session.replaceAll(/[^\w.-]/g, '_')}.hold`)
  }
}
