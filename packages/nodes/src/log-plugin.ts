import type { Concept } from './concept.ts'
import type { NodeStore } from './node-store.ts'

/** The `plugin` export of a package that opens logs for `nodes.url`. */
export interface LogPlugin {
  /** The version of this contract. A plugin written for another version is refused by name. */
  readonly contract: 1
  /** The protocols of its URLs, in lower case and without `://`, such as `libsql`. */
  readonly protocols: readonly string[]
  /** Prefix of its settings, such as `plugins.libsql`: `plugins.libsql.replica` arrives as `settings.replica`. */
  readonly settingsKey?: string
  /** Opens the log for writing. Creates or migrates it if necessary. */
  open(place: LogPlace): Promise<NodeStore>
  /**
   * Opens the log for reading. Creates and migrates nothing; returns `undefined` if no log exists there. A log of an older version is
   * refused with an error that has `code: 'SCHEMA_ABSENT'`, `found` and `known` (versions), and `server` (the place, without secrets).
   */
  openReader(place: LogPlace): Promise<NodeStore | undefined>
  /**
   * Fills a log that has nothing in it yet from a file that `log.backup` wrote, and refuses to change any other log. Without this verb,
   * `agentm log restore` refuses.
   */
  restore?(from: string, place: LogPlace): Promise<void>
}

/** The URL of a log and the options to open it with. */
export interface LogPlace {
  /** The URL, as written in the user's configuration or environment. */
  readonly url: string
  readonly settings: Readonly<Record<string, unknown>>
  readonly concepts: readonly Concept[]
  /** Number of connections (default: the plugin decides). */
  readonly connections?: number
  /** Timeout for an answer, in milliseconds (default: the plugin decides). */
  readonly patienceMs?: number
}
