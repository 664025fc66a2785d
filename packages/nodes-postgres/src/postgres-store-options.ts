/** The options of a store, in a separate file so that their types do not need the types of `pg`. */
import type { Concept, StoreRuntime } from '@agentm/nodes'

/** Options of `openPostgresStore`. */
export interface PostgresStoreOptions {
  /** `postgres://user@host:5432/database`. The password comes from the environment. */
  readonly url: string
  readonly concepts: Iterable<Concept>
  /** The namespace everything lives in. */
  readonly schema?: string
  /** The durability of appends that do not name one (default: `full`). */
  readonly durability?: 'full' | 'normal'
  /** The most connections, not counting the one that listens (default: 10). */
  readonly connections?: number
  /** Behind a transaction pooler such as PgBouncer: no LISTEN, no prepared statements, nothing kept on a connection. */
  readonly pooled?: boolean
  /**
   * Timeout for one statement (default: 15 s). The server then cancels it. If the server does not respond either, the connection counts as
   * broken a second later.
   */
  readonly statementTimeoutMs?: number
  /** How long to wait for a server that is restarting (default: 10 s). */
  readonly patienceMs?: number
  /** Default: `auto`, which uses pgvector if the server has it, else a scan in this process. */
  readonly vectors?: VectorSetting
  /** Whether the schema may be made or brought up to date (default: true). */
  readonly migrate?: boolean
  /** With its own `now`, times come from it instead of the server. */
  readonly runtime?: Partial<StoreRuntime>
}

export type VectorSetting = 'auto' | 'scan' | 'pgvector'
