/**
 * Connections to one server: a pool, prepared statements, transactions, and retries while a server restarts. A statement is repeated only
 * if it was certainly not executed.
 */
import type { StoreRuntime } from '@agentm/nodes'
import { StoreBusyError, StoreClosedError } from '@agentm/nodes/store-kit'
import pg from 'pg'
import { explainedFault } from './explained-fault.ts'
import type { ConnectionTarget } from './pure/connection-target.ts'
import { type FaultKind, faultKind } from './pure/fault-kind.ts'

export interface DatabaseSettings {
  readonly target: ConnectionTarget
  /** The schema name, quoted. */
  readonly schema: string
  readonly connections: number
  /** Timeout after which the server cancels a statement. If no answer comes shortly after, this process stops waiting. */
  readonly statementTimeoutMs: number
  /** How long to retry while the server is unavailable. */
  readonly patienceMs: number
  /** True behind a transaction pooler: each statement may run on another connection. */
  readonly pooled: boolean
  readonly runtime: StoreRuntime
}

export interface Statement {
  /** Prepared once per connection, unless `once` is set for a rare statement. */
  readonly text: string
  readonly values?: readonly unknown[]
  readonly once?: boolean
}

type Row = Readonly<Record<string, unknown>>
export type Run = <T = Row>(statement: Statement) => Promise<readonly T[]>

export interface TransactionOptions {
  readonly mode?: 'read committed' | 'repeatable read read only'
  /** If true, its statements have no time limit. */
  readonly unlimited?: boolean
}

export class Database {
  readonly schema: string
  readonly settings: DatabaseSettings
  readonly #pool: pg.Pool
  readonly #names = new Map<string, string>()
  readonly #open = new Set<pg.Client>()
  readonly #idle = new Set<pg.Client>()
  #closed = false
  /** Number of statements sent, to measure the cost of idling. */
  statements = 0

  constructor(settings: DatabaseSettings) {
    this.settings = settings
    this.schema = settings.schema
    this.#pool = new pg.Pool({ ...this.#clientConfig(), max: settings.connections, idleTimeoutMillis: 30_000 })
    // A broken idle connection is replaced at the next use. Without this listener its error would end the process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', (client) => this.#open.add(client))
    this.#pool.on('acquire', (client) => this.#idle.delete(client))
    this.#pool.on('release', (_, client) => this.#idle.add(client))
    this.#pool.on('remove', (client) => {
      this.#open.delete(client)
      this.#idle.delete(client)
    })
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Runs a reading statement, and repeats it if the connection breaks. */
  async read<T = Row>(statement: Statement): Promise<readonly T[]> {
    return this.repeat(statement)
  }

  /** Runs a statement that may be executed twice, because the second time changes nothing. */
  async repeat<T = Row>(statement: Statement): Promise<readonly T[]> {
    return this.#patiently(async () => this.#send<T>(this.#pool, statement), { always: true })
  }

  /** Runs a writing statement, and repeats it only if it was certainly not executed. */
  async write<T = Row>(statement: Statement): Promise<readonly T[]> {
    return this.#patiently(async () => this.#withClient(async (run) => run<T>(statement)), { always: false })
  }

  /** Runs `work` in one transaction. `work` may run again from the start. */
  async transaction<T>(work: (run: Run) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#patiently(
      async () =>
        this.#withClient(async (run) => {
          let result: T
          try {
            await run({ text: this.#begin(options), once: true })
            result = await work(run)
          } catch (error) {
            const kind = faultKind(error)
            if (kind !== 'silent') await run({ text: 'rollback', once: true }).catch(() => undefined)
            // Before the commit is sent, a broken connection certainly committed nothing.
            throw kind === 'cut' || kind === 'silent' ? new BeforeCommit(error) : error
          }
          await run({ text: 'commit', once: true })
          return result
        }, options),
      { always: options.mode === 'repeatable read read only' },
    )
  }

  /**
   * Opens a separate connection, outside the pool and without time limits; `disconnect` ends it. With `watched`, it is checked now and then
   * and closed if the server does not respond, because nothing is written to it that would fail.
   */
  async connect(name: string, { watched = false }: { readonly watched?: boolean } = {}): Promise<pg.Client> {
    const limit = this.settings.pooled ? {} : { statement_timeout: 0 }
    const client = new pg.Client({ ...this.#clientConfig(), ...limit, application_name: name })
    client.on('error', () => undefined)
    await client.connect()
    if (watched) watch(client)
    return client
  }

  async disconnect(client: pg.Client | undefined): Promise<void> {
    if (client === undefined) return
    hangUpIfSilent(client)
    await client.end().catch(() => undefined)
  }

  /** Repeats an attempt that collided with other writers, after a short random pause, until the write's timeout. */
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
    for (const client of this.#open) hangUpIfSilent(client)
  }

  #begin({ mode = 'read committed', unlimited = false }: TransactionOptions): string {
    const { pooled, statementTimeoutMs } = this.settings
    const idle = unlimited ? 0 : statementTimeoutMs
    // Locks of a vanished client must be released. Behind a pooler this cannot be a session setting.
    const settings = [
      ...(unlimited ? ['set local statement_timeout = 0'] : []),
      ...(unlimited || pooled ? [`set local idle_in_transaction_session_timeout = ${idle}`] : []),
    ]
    return [`begin isolation level ${mode}`, ...settings].join('; ')
  }

  #clientConfig(): pg.ClientConfig {
    const { target, pooled, statementTimeoutMs } = this.settings
    // A transaction pooler refuses settings it cannot keep per client.
    const limits = pooled
      ? {}
      : {
          statement_timeout: statementTimeoutMs,
          idle_in_transaction_session_timeout: statementTimeoutMs,
          options: sessionOptions(),
        }
    return {
      connectionString: target.connectionString,
      connectionTimeoutMillis: 5000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'agentm',
      types: rowTypes,
      ...limits,
    }
  }

  async #withClient<T>(work: (run: Run) => Promise<T>, { unlimited = false }: TransactionOptions = {}): Promise<T> {
    const client = await this.#pool.connect()
    let broken: Error | undefined
    // A connection that breaks between two statements reports it here. The next statement then fails.
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    try {
      return await work(async (statement) => this.#send(client, statement, unlimited))
    } catch (error) {
      const kind = faultKind(error instanceof BeforeCommit ? error.cause : error)
      if (kind === 'cut' || kind === 'shutdown' || kind === 'timeout' || kind === 'silent') broken = error as Error
      throw error
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  async #send<T>(
    on: pg.Pool | pg.PoolClient,
    { text, values = [], once = false }: Statement,
    unlimited = false,
  ): Promise<readonly T[]> {
    if (this.#closed) throw new StoreClosedError()
    this.statements += 1
    // Prepared statements live on one connection; behind a transaction pooler the next statement may get another one.
    const prepared = once || this.settings.pooled ? {} : { name: this.#nameOf(text) }
    // The server's timeout comes first, because its answer is certain and silence is not.
    const limit = unlimited ? {} : { query_timeout: this.settings.statementTimeoutMs + graceMs }
    const { rows } = await on.query({ ...prepared, ...limit, text, values: [...values] })
    return rows as T[]
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `agentm_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }

  /** `always` for a statement that may be executed twice: then its outcome is never uncertain. */
  async #patiently<T>(attempt: () => Promise<T>, { always }: { readonly always: boolean }): Promise<T> {
    const { patienceMs, runtime } = this.settings
    let started = performance.now()
    let silences = 0
    for (let pause = 20; ; pause = Math.min(pause * 2, 500))
      try {
        return await attempt()
      } catch (error) {
        const isCertain = always || error instanceof BeforeCommit
        const fault = error instanceof BeforeCommit ? error.cause : error
        const kind = faultKind(fault)
        if (kind === 'silent') this.#dropIdle()
        // The time spent on a silent connection does not count as waiting for the server, so one new connection is tried.
        if (kind === 'silent' && silences++ === 0) started = performance.now()
        const again = (isCertain ? whenCertain : whenNothingHappened).has(kind)
        if (again && !this.#closed && performance.now() - started <= patienceMs)
          await runtime.sleep(pause * (0.5 + runtime.random()))
        else
          throw this.#closed
            ? new StoreClosedError()
            : explainedFault(fault, { kind, isCertain, target: this.settings.target })
      }
  }

  /** Closes idle connections, because they are probably silent for the same reason and each would have to time out. */
  #dropIdle(): void {
    for (const client of this.#idle) client.connection.stream.destroy()
  }
}

const busyLimitMs = 30_000
const graceMs = 1000
const watchMs = 10_000
const answerMs = 5000
const goodbyeMs = 1000

const whenNothingHappened: ReadonlySet<FaultKind> = new Set(['unreachable', 'shutdown'])
const whenCertain: ReadonlySet<FaultKind> = new Set(['unreachable', 'shutdown', 'cut', 'silent'])

function watch(client: pg.Client): void {
  const question = { text: 'select 1', query_timeout: answerMs }
  const looks = setInterval(() => {
    client.query(question).catch(() => client.connection.stream.destroy())
  }, watchMs)
  looks.unref()
  client.once('end', () => clearInterval(looks))
}

/** Closes the socket if the server does not answer, because otherwise the connection would keep the process alive for minutes. */
function hangUpIfSilent(client: pg.Client): void {
  const hangUp = setTimeout(() => client.connection.stream.destroy(), goodbyeMs)
  client.once('end', () => clearTimeout(hangUp))
}

/**
 * Session settings. JIT is off, because compiling takes longer than any statement here. A client that vanished is noticed within half a
 * minute, and its locks are released. Settings of the user come after ours and win.
 */
function sessionOptions(): string {
  return `-c jit=off -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=2 ${process.env['PGOPTIONS'] ?? ''}`.trim()
}

/** Wraps a cut that came before the commit was sent. */
class BeforeCommit extends Error {
  constructor(cause: unknown) {
    super('the connection was cut before the commit', { cause })
  }
}

/** Parses whole numbers as numbers and keeps JSON as text, because the store parses payloads itself to report damaged ones. */
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
