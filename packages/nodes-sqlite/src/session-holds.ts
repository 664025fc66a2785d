/**
 * A file per session, locked exclusively by the process that lives. The system drops the lock when the process dies,
 * however it dies, so whoever can take it knows. It only shortens what the lease decides anyway.
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

  /** Of a session that said it holds its file. */
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

  /** Lets go of this process's hold, and clears away what a dead one left. */
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
