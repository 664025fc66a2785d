/** One entry of another program, in the form that every reader produces. */
import type { FieldValue } from '@agentm/memory/notes'

export interface ImportEntry {
  /** Identifies the entry in its source; the same in every export of it. */
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly text: string
  readonly tags: readonly string[]
  /** Who wrote the text; absent if it may be either. */
  readonly writtenBy?: 'person' | 'agent'
  /** When it was written, in epoch milliseconds. */
  readonly at?: number
  readonly slug?: string
  /** The project that the source files it under. */
  readonly project?: string
  readonly fields?: Readonly<Record<string, FieldValue>>
}

/** Something in a source that cannot become a note. */
export interface LeftOut {
  /** Where it is, such as `item 7`. */
  readonly place: string
  readonly why: string
}

export type Read = ImportEntry | LeftOut

export function isLeftOut(read: Read): read is LeftOut {
  return 'why' in read
}
