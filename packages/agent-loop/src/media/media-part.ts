/**
 * A picture or a document in a conversation. The conversation and the log have only its hash and its size; the bytes are in a store of
 * the machine, and go into the requests to the model.
 */
import { z } from 'zod'

export const mediaKinds = ['image', 'pdf'] as const

export type MediaKind = (typeof mediaKinds)[number]

export const mediaPartSchema = z.object({
  kind: z.enum(mediaKinds),
  /** By its first bytes, whatever its name says. */
  mediaType: z.string().min(1),
  /** For people and for the model. */
  name: z.string().min(1),
  /** SHA-256 of the bytes, as hex digits. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.number().int().min(1),
  /** The most tokens that the model is expected to count for it. A budget reserves this amount. */
  tokens: z.number().int().min(1),
})

export type MediaPart = z.infer<typeof mediaPartSchema>

/** Where the bytes are. A worker on another machine has none. */
export interface MediaStore {
  keep(part: MediaPart, bytes: Uint8Array): Promise<void>
  /** `undefined` if they are not on this machine. */
  read(part: MediaPart): Promise<Uint8Array | undefined>
}

/** What the configured model can take, and where it is kept. */
export interface MediaPolicy {
  readonly accepts: readonly MediaKind[]
  /** The command that says that the model takes this, too, for messages. */
  readonly settingFor?: (kind: MediaKind) => string
  /** The most tokens that the model counts for one picture (default: 5000). */
  readonly imageTokens?: number
  readonly store: MediaStore
}
