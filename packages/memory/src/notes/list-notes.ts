/** The notes of a directory by name: the entries of the index, updated by what the walk found. No note is opened for it. */
import { readablePartitions } from '../bound-project.ts'
import { indexedNow } from '../index/indexed-now.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { IndexDrift } from '../index/note-index.ts'
import { type IndexedNote, isActive } from '../index/pure/indexed-note.ts'
import type { Author } from './pure/shown.ts'

export interface NotesRequest {
  /** Only keys behind this one, in code unit order. */
  readonly after?: string
  /** At most so many. */
  readonly most?: number
  /** The open project's slug or `_global` (default: both). No other project can be asked for. */
  readonly project?: string
  readonly kinds?: readonly string[]
  /** With all of these. */
  readonly tags?: readonly string[]
  /** Instead of what is active; `deleted` is what was forgotten. */
  readonly status?: readonly string[]
  /** Created at this time or later, and before that one; epoch milliseconds. A note without a date is in neither. */
  readonly from?: number
  readonly to?: number
}

/** A note as `Memory.list` gives it. */
export interface ListedNote {
  readonly id: string
  readonly key: string
  readonly title: string
  readonly kind: string
  readonly status: string
  readonly tags: readonly string[]
  /** The project's slug, or `_global`. */
  readonly project: string
  /** Epoch milliseconds; 0 if the time is unknown. */
  readonly createdAt: number
  /** Absent where the note does not say so. */
  readonly writtenBy?: Author
}

export async function listNotes(
  context: MemoryContext,
  drift: IndexDrift,
  { most = Infinity, ...request }: NotesRequest,
): Promise<readonly ListedNote[]> {
  const partitions = readablePartitions(context.project, request.project)
  const notes = [...(await indexedNow(context, drift)).byKey.values()].filter(
    (note) => partitions.includes(note.partition) && passes(note, request),
  )
  const inOrder = notes.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return inOrder.slice(0, most).map(listed)
}

/** Beliefs of other devices are beliefs, also where they lie as notes. */
function passes(note: IndexedNote, { after = '', kinds, tags = [], status, from, to }: NotesRequest): boolean {
  const { key, kind, createdAt, isBelief } = note
  if (isBelief || key <= after || (kinds !== undefined && !kinds.includes(kind))) return false
  if (status === undefined ? !isActive(note.status) : !status.includes(note.status)) return false
  if (!tags.every((tag) => note.tags.includes(tag))) return false
  if (from === undefined && to === undefined) return true
  return createdAt > 0 && createdAt >= (from ?? 0) && createdAt < (to ?? Infinity)
}

function listed({ id, key, title, kind, status, tags, partition, createdAt, writtenBy }: IndexedNote): ListedNote {
  const author = writtenBy === undefined ? {} : { writtenBy }
  return { id, key, title, kind, status, tags, project: partition, createdAt, ...author }
}
