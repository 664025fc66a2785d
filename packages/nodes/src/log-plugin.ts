import type { Concept } from './concept.ts'
import type { NodeStore } from './node-store.ts'

/** What a package exports, as `plugin`, so that `nodes.url` can name a log that this package opens. */
export interface LogPlugin {
  /** The version of this contract. A plugin written for another version is refused by name. */
  readonly contract: 1
  /** What its URLs begin with, in lower case and without `://`, such as `libsql`. */
  readonly protocols: readonly string[]
  /** Prefix of its settings, such as `plugins.libsql`: `plugins.libsql.replica` arrives as `settings.replica`. */
  readonly settingsKey?: string
  /** The log, to write. It is created, or migrated, if need be. */
  open(place: LogPlace): Promise<NodeStore>
  /**
   * The log, to read. Creates and migrates nothing; `undefined` if no log was ever written there. A log of an older version is
   * refused with an error that has `code: 'SCHEMA_ABSENT'`, `found` and `known` (versions), and `server` (the place, without secrets).
   */
  openReader(place: LogPlace): Promise<NodeStore | undefined>
  /**
   * Fills a log that has nothing in it yet from a file that `log.backup` wrote, and refuses to change any other log. Without this verb,
   * `agentm log restore` refuses.
   */
  restore?(from: string, place: LogPlace): Promise<void>
}

/** The URL of a log, and what it is opened with. */
export interface LogPlace {
  /** As the user's configuration or environment has it. */
  readonly url: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly concepts: readonly Concept[]
  /** How many connections are enough (default: the plugin decides). */
  readonly connections?: number
  /** Timeout for an answer, in milliseconds (default: the plugin decides). */
  readonly patienceMs?: number
}
