/** One connection with its statements prepared once. Two of them make a store: one writes, one reads. */
import { ChangeCounter } from './change-counter.ts'
import type { Database, Row, SqlValue, Statement } from './database.ts'

export class Connection {
  readonly database: Database
  /** Of the one connection that writes. */
  readonly changes = new ChangeCounter(this)
  readonly #statements = new Map<string, Statement>()

  constructor(database: Database) {
    this.database = database
  }

  exec(sql: string): void {
    this.database.exec(sql)
  }

  run(sql: string, ...values: readonly SqlValue[]): number {
    return Number(this.#prepared(sql).run(...values).changes)
  }

  get(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#prepared(sql).get(...values)
  }

  all(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#prepared(sql).all(...values)
  }

  iterate(sql: string, ...values: readonly SqlValue[]): IterableIterator<Row> {
    return this.#prepared(sql).iterate(...values)
  }

  /** A value that is one number. */
  number(sql: string, ...values: readonly SqlValue[]): number {
    const [value] = Object.values(this.get(sql, ...values) ?? {})
    return Number(value ?? 0)
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

  #prepared(sql: string): Statement {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = this.database.prepare(sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }
}
