/** What the parser of Codex remembers between two records. */
import type { OpenCalls } from '../open-calls.ts'
import type { SaidOnce } from '../said-twice.ts'
import type { TokenTotals } from '../token-totals.ts'
import type { ParserState, ReadPart } from '../transcript-parser.ts'

/** What the parser of Codex remembers between two records. */
export interface CodexState extends ParserState {
  readonly isBegun: boolean
  /** The number of the first record of a sub-agent that it did not inherit from the agent that asked it. */
  readonly ownFrom?: number
  readonly cwd?: string
  readonly model?: string
  readonly calls: OpenCalls
  /** Exit codes, as text, from events that came before the answer of the call. */
  readonly codes: OpenCalls
  readonly said: SaidOnce
  readonly total: TokenTotals
}

/** What a part of a record gives. */
export type CodexRead = ReadPart<CodexState>
