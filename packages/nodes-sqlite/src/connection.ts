/** One connection that prepares each statement once. A store uses two of them: one writes, one reads. */
import { isNodesError } from '@agentm/nodes'
import { CorruptStoreError, StoreFaultError } from '@agentm/nodes/store-kit'
import { ChangeCounter } from './change-counter.ts'
import { type Database, diskFault, isDamage, type Row, type SqlValue, type Statement } from './database.ts'

export class Connection {
  readonly database: Database
  /** The change counter of the connection that writes. */
  readonly changes = new ChangeCounter(this)
  readonly #path: string
  readonly #statements = new Map<string, Statement>()

  constructor(database: Database, path: string) {
    this.database = database
    this.#path = path
  }

  exec(sql: string): void {
    this.#told(() => this.database.exec(sql))
  }

  run(sql: string, ...values: readonly SqlValue[]): number {
    return this.#told(() => Number(this.#prepared(sql).run(...values).changes))
  }

  /** Inserts a row and returns its key. */
  insert(sql: string, ...values: readonly SqlValue[]): number {
    return this.#told(() => Number(this.#prepared(sql).run(...values).lastInsertRowid))
  }

  get(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#told(() => this.#prepared(sql).get(...values))
  }

  all(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#told(() => this.#prepared(sql).all(...values))
  }

  /** Iterates over rows. An error may come at any row. */
  *iterate(sql: string, ...values: readonly SqlValue[]): Generator<Row, void> {
    try {
      yield* this.#prepared(sql).iterate(...values)
    } catch (error) {
      throw explained(error, this.#path)
    }
  }

  /** The single number that a query returns. */
  number(sql: string, ...values: readonly SqlValue[]): number {
    const [value] = Object.values(this.get(sql, ...values) ?? {})
    return Number(value ?? 0)
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }

  /** Runs `read` on one state of the store. It is synchronous, so no other code runs in between. */
  snapshot<T>(read: () => T): T {
    this.exec('begin')
    try {
      return read()
    } finally {
      this.exec('commit')
    }
  }

  #told<T>(ask: () => T): T {
    try {
      return ask()
    } catch (error) {
      throw explained(error, this.#path)
    }
  }

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/** Turns SQLite's errors, such as "disk I/O error", into errors that name the file and say what to do. */
export function explained(error: unknown, path: string): unknown {
  if (isNodesError(error)) return error
  if (isDamage(error))
    return new CorruptStoreError(
      `${path} is damaged, or is not a database. Nothing was changed. To see the damage: agentm log check. To repair it, stop every program that uses it and run agentm log rebuild. If the history itself is damaged, restore a backup: agentm log restore FILE. Without a backup, move the file away, and a new log is created.`,
      { cause: error },
    )
  const fault = diskFault(error)
  return fault === undefined ? error : new StoreFaultError(path, fault, { cause: error })
}
