/** The rows of one space of a file, within one transaction. Each table of a space is a table of the file, made when it is first written. */
import type { ByteRows, WritableByteRows } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'

/** Where there is no file yet. */
export const noRows: ByteRows = { revision: '', get: () => undefined, numbers: () => [], range: () => [] }

export class SqliteRows implements WritableByteRows {
  readonly #connection: Connection
  readonly #space: string
  #number: number | undefined
  #revision = 0
  readonly #tables: Set<string>
  readonly #names = new Map<string, string>()

  constructor(connection: Connection, space: string) {
    this.#connection = connection
    this.#space = space
    const known = connection.get('select number, revision from spaces where name = ?', space)
    this.#number = known === undefined ? undefined : Number(known['number'])
    this.#revision = Number(known?.['revision'] ?? 0)
    const names =
      known === undefined
        ? []
        : connection.all(`select name from sqlite_master where type = 'table' and name glob 'rows_${this.#number}_*'`)
    this.#tables = new Set(names.map(({ name }) => String(name)))
  }

  get revision(): string {
    return this.#number === undefined ? '' : `${this.#number}.${this.#revision}`
  }

  get(table: string, row: number): Uint8Array | undefined {
    const name = this.#existing(table)
    if (name === undefined) return undefined
    return this.#connection.get(`select bytes from ${name} where id = ?`, row)?.['bytes'] as Uint8Array | undefined
  }

  numbers(table: string, from = 0, to = Number.MAX_SAFE_INTEGER): readonly number[] {
    const name = this.#existing(table)
    if (name === undefined) return []
    const rows = this.#connection.all(`select id from ${name} where id >= ? and id < ? order by id`, from, to)
    return rows.map(({ id }) => Number(id))
  }

  *range(table: string, from = 0, to = Number.MAX_SAFE_INTEGER): Iterable<readonly [number, Uint8Array]> {
    const name = this.#existing(table)
    if (name === undefined) return
    const rows = this.#connection.iterate(
      `select id, bytes from ${name} where id >= ? and id < ? order by id`,
      from,
      to,
    )
    for (const { id, bytes } of rows) yield [Number(id), bytes as Uint8Array]
  }

  put(table: string, row: number, bytes: Uint8Array): void {
    this.#connection.run(`insert or replace into ${this.#made(table)} (id, bytes) values (?, ?)`, row, bytes)
  }

  delete(table: string, from: number, to = from + 1): void {
    const name = this.#existing(table)
    if (name !== undefined) this.#connection.run(`delete from ${name} where id >= ? and id < ?`, from, to)
  }

  clear(): void {
    for (const name of this.#tables) this.#connection.exec(`drop table ${name}`)
    this.#tables.clear()
  }

  /** Gives the space the next revision. Random at first, so that a file that was begun anew does not repeat earlier ones. */
  advance(): void {
    if (this.#number === undefined) {
      this.#revision = Math.floor(Math.random() * 2 ** 40)
      this.#number = this.#connection.insert(
        'insert into spaces (name, revision) values (?, ?)',
        this.#space,
        this.#revision,
      )
      return
    }
    this.#revision += 1
    this.#connection.run('update spaces set revision = ? where number = ?', this.#revision, this.#number)
  }

  #existing(table: string): string | undefined {
    const name = this.#nameOf(table)
    return this.#tables.has(name) ? name : undefined
  }

  #made(table: string): string {
    const name = this.#nameOf(table)
    if (!this.#tables.has(name)) {
      this.#connection.exec(`create table ${name} (id integer primary key, bytes blob not null) strict`)
      this.#tables.add(name)
    }
    return name
  }

  #nameOf(table: string): string {
    const known = this.#names.get(table)
    if (known !== undefined) return known
    if (!/^[a-z]+$/.test(table)) throw new TypeError(`${table} is no name of a table of bytes`)
    const name = `rows_${this.#number}_${table}`
    this.#names.set(table, name)
    return name
  }
}
