/** Lists the notes of a directory by name, from the index and the changes that the walk found. No note is opened. */
import { readablePartitions } from '../bound-project.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { IndexDrift } from '../index/note-index.ts'
import { type IndexedNote, isActive } from '../index/pure/indexed-note.ts'
import type { Author } from './pure/shown.ts'

export interface NotesRequest {
  /** Lists only keys after this one, in code unit order. */
  readonly after?: string
  /** The most notes to return. */
  readonly most?: number
  /** The open project's slug or `_global` (default: both). No other project can be asked for. */
  readonly project?: string
  readonly kinds?: readonly string[]
  /** Lists only notes with all of these tags. */
  readonly tags?: readonly string[]
  /** Statuses to list instead of active notes; `deleted` are forgotten ones. */
  readonly status?: readonly string[]
  /** Created at or after `from` and before `to`, in epoch milliseconds. Notes without a date are left out. */
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
  /** Absent if the note does not name its author. */
  readonly writtenBy?: Author
}

export async function listNotes(
  context: MemoryContext,
  drift: IndexDrift,
  { most = Infinity, ...request }: NotesRequest,
): Promise<readonly ListedNote[]> {
  const partitions = readablePartitions(context.project, request.project)
  const notes = context.corpus.notes.read((view) => {
    const wanted = view.mask(({ partition }) => partitions.includes(partition))
    const found: ListedNote[] = []
    for (const note of view.factsIn(wanted)) if (passes(note, request)) found.push(listed(note))
    return found
  }, drift.overlay)
  return notes.toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, most)
}

/** Beliefs of other devices count as beliefs, although they are stored as notes. */
function passes(note: IndexedNote, { after = '', kinds, tags = [], status, from, to }: NotesRequest): boolean {
  const { key, kind, createdAt, belief } = note
  if (belief !== undefined || key <= after || (kinds !== undefined && !kinds.includes(kind))) return false
  if (status === undefined ? !isActive(note.status) : !status.includes(note.status)) return false
  if (!tags.every((tag) => note.tags.includes(tag))) return false
  if (from === undefined && to === undefined) return true
  return createdAt > 0 && createdAt >= (from ?? 0) && createdAt < (to ?? Infinity)
}

function listed({ id, key, title, kind, status, tags, partition, createdAt, writtenBy }: IndexedNote): ListedNote {
  const author = writtenBy === undefined ? {} : { writtenBy }
  return { id, key, title, kind, status, tags, project: partition, createdAt, ...author }
}
