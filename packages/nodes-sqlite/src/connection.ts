/** One connection with its statements prepared once. Two of them make a store: one writes, one reads. */
import { isNodesError } from '@agentm/nodes'
import { CorruptStoreError, StoreFaultError } from '@agentm/nodes/store-kit'
import { ChangeCounter } from './change-counter.ts'
import { type Database, diskFault, isDamage, type Row, type SqlValue, type Statement } from './database.ts'

export class Connection {
  readonly database: Database
  /** Of the one connection that writes. */
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

  /** Answers the key of the new row. */
  insert(sql: string, ...values: readonly SqlValue[]): number {
    return this.#told(() => Number(this.#prepared(sql).run(...values).lastInsertRowid))
  }

  get(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#told(() => this.#prepared(sql).get(...values))
  }

  all(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#told(() => this.#prepared(sql).all(...values))
  }

  /** What is in the way may show at any row. */
  *iterate(sql: string, ...values: readonly SqlValue[]): Generator<Row, void> {
    try {
      yield* this.#prepared(sql).iterate(...values)
    } catch (error) {
      throw explained(error, this.#path)
    }
  }

  /** A value that is one number. */
  number(sql: string, ...values: readonly SqlValue[]): number {
    const [value] = Object.values(this.get(sql, ...values) ?? {})
    return Number(value ?? 0)
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }

  /** What is read inside is one state of the store. Synchronous, so nothing else comes in between. */
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

/** SQLite says that the image is malformed, or "disk I/O error"; people need to know which file, and what now. */
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
