/** The bytes for a request. What is not on this machine is named instead. */
import type { Message } from '../loop/model.ts'
import type { MediaStore } from './media-part.ts'
import { partsOf } from './pure/drop-media.ts'
import { leftOutLine } from './pure/media-text.ts'

export interface LoadedMedia {
  readonly messages: readonly Message[]
  /** The bytes, by their hash. */
  readonly media: ReadonlyMap<string, Uint8Array>
}

export async function loadMedia(
  messages: readonly Message[],
  store: Pick<MediaStore, 'read'> | undefined,
): Promise<LoadedMedia> {
  const media = new Map<string, Uint8Array>()
  for (const part of messages.flatMap(partsOf)) {
    const bytes = media.has(part.hash) ? undefined : await store?.read(part)
    if (bytes !== undefined) media.set(part.hash, bytes)
  }
  return { messages: messages.map((message) => withLoaded(message, media)), media }
}

const why = 'it is on another machine. Read it again if you need it'

function withLoaded(message: Message, media: ReadonlyMap<string, Uint8Array>): Message {
  const parts = partsOf(message)
  const lost = parts.filter(({ hash }) => !media.has(hash))
  if (lost.length === 0 || (message.role !== 'user' && message.role !== 'tool')) return message
  const there = parts.filter(({ hash }) => media.has(hash))
  const text = [message.text, ...lost.map((part) => leftOutLine(part, why))].join('\n')
  const { parts: _, ...rest } = message
  return { ...rest, text, ...(there.length > 0 && { parts: there }) }
}
