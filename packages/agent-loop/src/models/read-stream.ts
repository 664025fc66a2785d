/** Reads a reply that arrives in pieces. Each piece is shown as it arrives; only a complete reply counts. */
import { faultError, unreadable } from './endpoint-fault.ts'
import { ModelError } from './model-error.ts'
import { chatChunk, chatFault, type Heard, unheard, withChunk } from './pure/chat-answer.ts'
import { sseEvents } from './pure/sse-events.ts'

export interface StreamReading {
  readonly name: string
  readonly onText?: (piece: string) => void
}

export async function readStream(pieces: AsyncIterable<string>, { name, onText }: StreamReading): Promise<Heard> {
  let heard = unheard
  for await (const data of eventsOf(pieces)) {
    if (data === '[DONE]') return heard
    const before = heard.text.length
    heard = withChunk(heard, chunkOf(name, data))
    if (heard.text.length > before) onText?.(heard.text.slice(before))
  }
  if (heard.finished) return heard
  throw new ModelError(`${name} stopped in the middle of its answer.`, { type: 'unavailable', ill: true })
}

async function* eventsOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const events = sseEvents(rest + piece)
    rest = events.rest
    yield* events.data
  }
  // The connection may end right after the last event.
  yield* sseEvents(`${rest}\n\n`).data
}

function chunkOf(name: string, data: string): ReturnType<typeof chatChunk.parse> {
  const json = parsed(data)
  const fault = chatFault.safeParse(json)
  if (fault.success) throw faultError(name, fault.data.error)
  const chunk = chatChunk.safeParse(json)
  if (!chunk.success) throw unreadable(name)
  return chunk.data
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
