/** The parser of each host. */
import type { TranscriptHost } from '../transcript-hosts.ts'
import { claudeCodeParser } from './claude-code/claude-code-parser.ts'
import { codexParser } from './codex/codex-parser.ts'
import { geminiParser } from './gemini/gemini-parser.ts'
import { opencodeParser } from './opencode/opencode-parser.ts'
import { plainParser } from './plain/plain-parser.ts'
import type { TranscriptParser } from './transcript-parser.ts'

const parsers = {
  'claude-code': claudeCodeParser,
  codex: codexParser,
  gemini: geminiParser,
  opencode: opencodeParser,
  plain: plainParser,
} satisfies Record<TranscriptHost, TranscriptParser>

/**
 * The parser of a host: a fold over the records of one session.
 *
 * @example
 * ```ts
 * import { parserOf } from '@agentm/transcripts'
 *
 * const parser = parserOf('plain')
 * const { events } = parser.next(parser.start({ session: 's1' }), { number: 1, text: '{"type":"prompt","text":"Hello"}' })
 * console.log(events[0]?.type) // prompt
 * ```
 */
export function parserOf(host: TranscriptHost): TranscriptParser {
  return parsers[host]
}
