/** What the parser of Claude Code remembers between two records. */
import type { OpenCalls } from '../open-calls.ts'
import type { TokenTotals } from '../token-totals.ts'
import type { ParserState, ReadPart } from '../transcript-parser.ts'
import type { ClaudeCodeTask } from './claude-code-tasks.ts'

/** What the parser of Claude Code remembers between two records. */
export interface ClaudeCodeState extends ParserState {
  readonly cwd?: string
  readonly branch?: string
  readonly version?: string
  /** The session that the last copied record came from. */
  readonly from?: string
  readonly calls: OpenCalls
  readonly tasks: readonly ClaudeCodeTask[]
  /** The tokens that were counted of the current message of the model. */
  readonly counted?: TokenTotals & { readonly message: string }
}

/** What a part of a record gives. */
export type ClaudeCodeRead = ReadPart<ClaudeCodeState>
