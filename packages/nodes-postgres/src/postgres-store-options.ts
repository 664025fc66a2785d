/** How a store is opened. Apart from what opens it, so that its types need no types of `pg`. */
import type { Concept, StoreRuntime } from '@agentm/nodes'

/** Options of `openPostgresStore`. */
export interface PostgresStoreOptions {
  /** `postgres://user@host:5432/database`. The password comes from the environment. */
  readonly url: string
  readonly concepts: Iterable<Concept>
  /** The namespace everything lives in. */
  readonly schema?: string
  /** Of appends that do not say; `full` where absent. */
  readonly durability?: 'full' | 'normal'
  /** At most so many connections, beside one that listens. 10 where absent. */
  readonly connections?: number
  /** Behind a transaction pooler such as PgBouncer: no LISTEN, no prepared statements, nothing kept on a connection. */
  readonly pooled?: boolean
  /**
   * How long one statement may take (default: 15 s). The server then gives it up; where the server says nothing either,
   * the connection is taken for dead a second later.
   */
  readonly statementTimeoutMs?: number
  /** How long to wait for a server that is restarting. 10 s where absent. */
  readonly patienceMs?: number
  /** `auto` where absent: pgvector where the server has it, otherwise a scan in this process. */
  readonly vectors?: VectorSetting
  /** Whether the schema may be made or brought up to date; true where absent. */
  readonly migrate?: boolean
  /** With a `now` of its own, times are taken from there and not from the server. */
  readonly runtime?: Partial<StoreRuntime>
}

export type VectorSetting = 'auto' | 'scan' | 'pgvector'
