/** What must be true of every transcript, however damaged. */
import { isDeepStrictEqual } from 'node:util'
import {
  parserOf,
  readSession,
  type ParserState,
  type SessionCursor,
  type SessionSource,
  type TranscriptEvent,
  type TranscriptFiles,
  type TranscriptHost,
  type TranscriptParser,
} from '@agentm/transcripts'
import type { Random } from './mutations.ts'

/** The faults that were found; none if the transcript was read as promised. */
export async function faultsOf(
  host: TranscriptHost,
  lines: readonly string[],
  random: Random,
  parser: TranscriptParser = parserOf(host),
): Promise<readonly string[]> {
  const events = fold(parser, lines, false)
  const again = fold(parser, lines, true)
  const faults: string[] = []
  if (!isDeepStrictEqual(events, again)) faults.push('a state that was stored gives other events')
  const numbers = new Set(events.map(({ record }) => record))
  for (const number of lines.keys()) if (!numbers.has(number + 1)) faults.push(`record ${number + 1} has no event`)
  for (const event of events)
    if (!isWhole(event)) faults.push(`an event is incomplete: ${JSON.stringify(event).slice(0, 200)}`)
  if (host === 'opencode') return faults
  const read = await readGrowing(host, lines, random)
  if (!isDeepStrictEqual(read, events)) faults.push('a file that grows gives other events')
  return faults
}

function fold(parser: TranscriptParser, lines: readonly string[], isStored: boolean): readonly TranscriptEvent[] {
  let state = parser.start({ session: 's1' })
  const events: TranscriptEvent[] = []
  for (const [index, text] of lines.entries()) {
    const read = parser.next(state, { text, number: index + 1 })
    state = isStored ? (JSON.parse(JSON.stringify(read.state)) as ParserState) : read.state
    events.push(...read.events)
  }
  return events
}

/** The fields that an event of its type must have, with their types. */
function isWhole(event: TranscriptEvent): boolean {
  if (typeof event.session !== 'string' || !Number.isInteger(event.record)) return false
  if (event.at !== undefined && !Number.isFinite(event.at)) return false
  switch (event.type) {
    case 'prompt':
    case 'context':
    case 'reply':
    case 'thought':
    case 'error':
      return typeof event.text === 'string'
    case 'call':
      return typeof event.id === 'string' && typeof event.tool === 'string' && typeof event.use.does === 'string'
    case 'result':
      return typeof event.call === 'string' && typeof event.text === 'string' && typeof event.isError === 'boolean'
    case 'unknown':
      return typeof event.kind === 'string' && Number.isFinite(event.length)
    case 'bookkeeping':
      return typeof event.kind === 'string'
    default:
      return true
  }
}

/** Reads a file that grows between reads, also in the middle of a character, and that returns fewer bytes than were requested. */
async function readGrowing(
  host: TranscriptHost,
  lines: readonly string[],
  random: Random,
): Promise<readonly TranscriptEvent[]> {
  const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const source: SessionSource = { host, source: 's1.jsonl', session: 's1' }
  const events: TranscriptEvent[] = []
  let cursor: SessionCursor | undefined
  let visible = 0
  while (visible < bytes.length) {
    visible = Math.min(bytes.length, visible + 1 + Math.floor(random() * bytes.length))
    const options = { files: memoryFile(bytes.subarray(0, visible), random), roots: { [host]: '/m' }, cursor }
    for await (const batch of readSession(source, options)) {
      // Two lines that lost the newline between them: the first looked like a whole last line when only it stood there.
      if (batch.restarted) events.length = 0
      events.push(...batch.events)
      cursor = JSON.parse(JSON.stringify(batch.cursor)) as SessionCursor
    }
  }
  return events
}

function memoryFile(bytes: Uint8Array, random: Random): TranscriptFiles {
  const facts = { isDirectory: false, bytes: bytes.length, changedAt: 0 }
  return {
    list: () => Promise.resolve(['s1.jsonl']),
    facts: () => Promise.resolve(facts),
    open: (path) =>
      path.endsWith('s1.jsonl')
        ? Promise.resolve({
            facts: () => Promise.resolve(facts),
            read: (offset, length) =>
              Promise.resolve(
                bytes.subarray(offset, offset + Math.max(1, Math.floor(random() * Math.min(length, 40_000)))),
              ),
            close: () => Promise.resolve(),
          })
        : Promise.reject(Object.assign(new Error('absent'), { code: 'ENOENT' })),
  }
}
