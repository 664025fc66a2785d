/** Where the hosts keep their data on this machine, and how it is read. Everything has a default; tests replace what they need. */
import type { TranscriptHost } from './transcript-hosts.ts'
import type { TranscriptFiles } from './transcript-files.ts'

/** Where the hosts keep their data, and how it is read. */
export interface HostSurroundings {
  /** The home directory (default: that of the user). */
  readonly home?: string
  /** The environment (default: that of the process). `CLAUDE_CONFIG_DIR`, `CODEX_HOME`, `GEMINI_CLI_HOME` and `XDG_DATA_HOME` are read. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The data directories of single hosts. `plain` has no default, so it is read only if it is named here. */
  readonly roots?: Partial<Readonly<Record<TranscriptHost, string>>>
  /** How files are read (default: `node:fs`). */
  readonly files?: TranscriptFiles
  /** How the database of opencode is read (default: `node:sqlite`). */
  readonly openDatabase?: OpenDatabase
}

/** Opens a SQLite file for reading only. */
export type OpenDatabase = (file: string) => Promise<ReadOnlyDatabase>

/** What is needed of a SQLite database. */
export interface ReadOnlyDatabase {
  /** All rows of a query. */
  all(sql: string, ...values: readonly (string | number)[]): readonly Readonly<Record<string, unknown>>[]
  close(): void
}
