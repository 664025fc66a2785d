/** A whole transcript at once, for a text that is already in memory. */
import type { TranscriptEvent } from '../transcript-event.ts'
import type { TranscriptHost } from '../transcript-hosts.ts'
import { parserOf } from './parser-of.ts'
import type { SessionIdentity } from './transcript-parser.ts'

/**
 * The events of a text with one record per line.
 *
 * @example
 * ```ts
 * import { parseTranscript } from '@agentm/transcripts'
 *
 * const events = parseTranscript('plain', '{"type":"prompt","text":"Rename it"}\n', { session: 's1' })
 * console.log(events.length) // 1
 * ```
 */
export function parseTranscript(
  host: TranscriptHost,
  text: string,
  about: SessionIdentity = {},
): readonly TranscriptEvent[] {
  const parser = parserOf(host)
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const events: TranscriptEvent[] = []
  let state = parser.start(about)
  for (const [index, line] of lines.entries()) {
    const read = parser.next(state, { text: line, number: index + 1 })
    state = read.state
    events.push(...read.events)
  }
  return events
}
