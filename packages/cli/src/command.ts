/** What a command is: data for help, completion and documentation, and one function that answers. */
import type { Workspace } from '@agentm/workspace'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import type { CallTelemetry } from './call-telemetry.ts'
import type { Terminal } from './terminal.ts'

export interface Option {
  readonly help: string
  /** What stands for the value in help, such as `DIR`; absent for a switch. */
  readonly value?: string
  readonly repeats?: boolean
}

export interface Command {
  /** Arguments as help shows them, such as `KEY VALUE`. */
  readonly takes?: string
  readonly summary: string
  /** Shown below the summary in the command's own help. */
  readonly details?: string
  readonly options?: Readonly<Record<string, Option>>
  /** Plans that it changes, and what it recalls, are reported by telemetry if the environment asks for that. */
  readonly isObserved?: true
  run(call: Call): Promise<Answer>
}

/** One call of a command, parsed. */
export interface Call {
  readonly args: readonly string[]
  /** Whether a switch was given. */
  readonly has: (option: string) => boolean
  /** The value of an option; the last one where it repeats. */
  readonly get: (option: string) => string | undefined
  readonly all: (option: string) => readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The workspace of the directory (default: `--cwd`, else where the command is called). Opened once, closed when the command ends. */
  readonly workspace: (directory?: string) => Promise<Workspace>
  /** The same, for a command that only looks. */
  readonly reader: (directory?: string) => Promise<WorkspaceReader>
  /** For commands that are observed. */
  readonly telemetry: CallTelemetry
  readonly terminal: Terminal
  /** `--json` was given: ask nothing, decorate nothing. */
  readonly json: boolean
}

/** What to print: `text` for people, `data` with `--json`. */
export interface Answer {
  readonly text: string
  readonly data: unknown
  /** `text` is somebody's file: not a byte is added. */
  readonly exact?: boolean
  /** What a person should know beside the answer; printed apart from it. */
  readonly notices?: readonly string[]
  /** Nothing that is still under way is waited for: a question that came too late may take as long as it likes. */
  readonly isLast?: true
  /** 1 when a check failed; what is refused is thrown. */
  readonly exit?: 0 | 1
}

/** The call itself was wrong; exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly code = 'USAGE'
  /** The command that says how it is called. */
  readonly next: string | undefined
  constructor(message: string, { next, cause }: { readonly next?: string; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.next = next
  }
}
