/**
 * Connections to one server: a pool, statements prepared once per connection, transactions, and patience with a server
 * that restarts. A statement is only repeated where it is certain that it has not happened.
 */
import { StoreBusyError, StoreClosedError, type StoreRuntime } from '@agentm/nodes'
import pg from 'pg'
import { explainedFault } from './explained-fault.ts'
import type { ConnectionTarget } from './pure/connection-target.ts'
import { faultKind } from './pure/fault-kind.ts'

export interface DatabaseSettings {
  readonly target: ConnectionTarget
  /** Quoted, ready to stand before a dot. */
  readonly schema: string
  readonly connections: number
  readonly statementTimeoutMs: number
  /** How long to wait for a server that is not there, before giving up. */
  readonly patienceMs: number
  /** Behind a transaction pooler: nothing may depend on which connection a statement runs on. */
  readonly pooled: boolean
  readonly runtime: StoreRuntime
}

export interface Statement {
  /** Prepared once per connection, unless `once` says that it is not asked often. */
  readonly text: string
  readonly values?: readonly unknown[]
  readonly once?: boolean
}

type Row = Readonly<Record<string, unknown>>
export type Run = <T = Row>(statement: Statement) => Promise<readonly T[]>

export class Database {
  readonly schema: string
  readonly settings: DatabaseSettings
  readonly #pool: pg.Pool
  readonly #names = new Map<string, string>()
  #closed = false
  /** How many statements were sent, for whoever wants to know what idling costs. */
  statements = 0

  constructor(settings: DatabaseSettings) {
    this.settings = settings
    this.schema = settings.schema
    this.#pool = new pg.Pool({ ...this.#clientConfig(), max: settings.connections, idleTimeoutMillis: 30_000 })
    // An idle connection that breaks is replaced by the next use; without a listener it would end the process.
    this.#pool.on('error', () => undefined)
  }

  get closed(): boolean {
    return this.#closed
  }

  /** One reading statement, repeated when the connection goes away. */
  async read<T = Row>(statement: Statement): Promise<readonly T[]> {
    return this.#patiently(async () => this.#send<T>(this.#pool, statement), ['unreachable', 'cut', 'shutdown'])
  }

  /** One writing statement, repeated only when it certainly did not happen. */
  async write<T = Row>(statement: Statement): Promise<readonly T[]> {
    return this.#patiently(async () => this.#withClient(async (run) => run<T>(statement)), ['unreachable', 'shutdown'])
  }

  /** All of it or nothing. `work` may run again, from the start. */
  async transaction<T>(work: (run: Run) => Promise<T>, mode = 'read committed'): Promise<T> {
    return this.#patiently(
      async () =>
        this.#withClient(async (run) => {
          await run({ text: `begin isolation level ${mode}`, once: true })
          let result: T
          try {
            result = await work(run)
          } catch (error) {
            await run({ text: 'rollback', once: true }).catch(() => undefined)
            // Nothing was committed, whatever became of the connection: before a commit is sent, a cut is no riddle.
            throw faultKind(error) === 'cut' ? new BeforeCommit(error) : error
          }
          await run({ text: 'commit', once: true })
          return result
        }),
      ['unreachable', 'shutdown'],
    )
  }

  /** A connection of its own, outside the pool; the caller ends it. */
  async connect(name: string): Promise<pg.Client> {
    const client = new pg.Client({ ...this.#clientConfig(), application_name: name, keepAlive: true })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  /** Repeats what collided with others, with a short random pause, for as long as a write is willing to wait. */
  async despiteOthers<T>(attempt: (again: number) => Promise<T>): Promise<T> {
    const { runtime } = this.settings
    const started = performance.now()
    for (let again = 0; ; again++)
      try {
        return await attempt(again)
      } catch (error) {
        if (faultKind(error) !== 'collision') throw error
        const waited = performance.now() - started
        if (waited > busyLimitMs) throw new StoreBusyError(waited, { cause: error })
        await runtime.sleep(runtime.random() * Math.min(50, 2 ** Math.min(again, 6)))
      }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#pool.end()
  }

  #clientConfig(): pg.ClientConfig {
    const { target, pooled, statementTimeoutMs } = this.settings
    // A transaction pooler refuses settings it cannot keep per client, so there the time limit is kept on this side.
    const limit = pooled
      ? { query_timeout: statementTimeoutMs }
      : { statement_timeout: statementTimeoutMs, options: sessionOptions() }
    return {
      connectionString: target.connectionString,
      connectionTimeoutMillis: 5000,
      application_name: 'agentm',
      types: rowTypes,
      ...limit,
    }
  }

  async #withClient<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    // A connection that dies between two statements says so here; the next statement then fails by itself.
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await work(async (statement) => this.#send(client, statement))
    } catch (error) {
      const kind = faultKind(error)
      if (kind === 'cut' || kind === 'shutdown' || kind === 'timeout') broken = error as Error
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  async #send<T>(on: pg.Pool | pg.PoolClient, { text, values = [], once = false }: Statement): Promise<readonly T[]> {
    if (this.#closed) throw new StoreClosedError()
    this.statements += 1
    // Prepared statements live on one connection; behind a transaction pooler the next statement may get another one.
    const prepared = once || this.settings.pooled ? {} : { name: this.#nameOf(text) }
    const { rows } = await on.query({ ...prepared, text, values: [...values] })
    return rows as T[]
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `agentm_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  async #patiently<T>(attempt: () => Promise<T>, repeatable: readonly string[]): Promise<T> {
    const { patienceMs, runtime } = this.settings
    const started = performance.now()
    for (let pause = 20; ; pause = Math.min(pause * 2, 500))
      try {
        return await attempt()
      } catch (error) {
        const certain = error instanceof BeforeCommit
        const fault = certain ? error.cause : error
        const kind = faultKind(fault)
        const again = certain || repeatable.includes(kind)
        if (!again || this.#closed || performance.now() - started > patienceMs)
          throw this.#closed ? new StoreClosedError() : explainedFault(fault, kind, this.settings.target)
        await runtime.sleep(pause * (0.5 + runtime.random()))
      }
  }
}

const busyLimitMs = 30_000

/**
 * Compiling a statement takes the server longer than any of these takes to run; that its guess of their cost calls for it
 * says more about the guess. What the user set for all programs comes after ours, and counts.
 */
function sessionOptions(): string {
  return `-c jit=off ${process.env['PGOPTIONS'] ?? ''}`.trim()
}

/** Wraps a cut that came before the commit was sent. */
class BeforeCommit extends Error {
  constructor(cause: unknown) {
    super('the connection was cut before the commit', { cause })
  }
}

/** Whole numbers as numbers, JSON as its text: the store parses payloads itself, to be able to say which one is damaged. */
const rowTypes: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (format !== 'binary') {
      if (oid === int8) return Number
      if (oid === int8Array) return (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(Number)
      if (oid === json) return (text: string) => text
    }
    return pg.types.getTypeParser(oid, format)
  },
}

const int8 = 20
const int8Array = 1016
const json = 114
