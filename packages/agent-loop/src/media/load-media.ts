/** The bytes for a request. What is not on this machine is named instead. */
import type { Message } from '../loop/model.ts'
import type { MediaStore } from './media-part.ts'
import { partsOf } from './pure/drop-media.ts'
import { withoutParts } from './pure/without-parts.ts'

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
  return { messages: messages.map((message) => withoutParts(message, ({ hash }) => media.has(hash), why)), media }
}

const why = 'it is on another machine. Read it again if you need it'
