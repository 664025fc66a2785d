/** The notes of this place by name: what the index knows of them, brought up to what the walk found. No note is opened for it. */
import { readablePartitions } from './bound-project.ts'
import { indexedNow } from './indexed-now.ts'
import type { MemoryContext } from './memory-context.ts'
import type { IndexDrift } from './note-index.ts'

export interface NotesRequest {
  /** Only keys behind this one, in code unit order. */
  readonly after?: string
  /** At most so many. */
  readonly most?: number
}

export interface ListedNote {
  readonly key: string
  readonly title: string
  readonly status: string
}

/** Neither what is forgotten nor what waits in the inbox: neither is recalled either. */
export async function listNotes(
  context: MemoryContext,
  drift: IndexDrift,
  { after = '', most = Infinity }: NotesRequest,
): Promise<readonly ListedNote[]> {
  const partitions = readablePartitions(context.project)
  const notes = [...(await indexedNow(context, drift)).values()].filter(
    ({ key, status, partition, isBelief }) =>
      key > after && status !== 'deleted' && status !== 'inbox' && !isBelief && partitions.includes(partition),
  )
  const inOrder = notes.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  return inOrder.slice(0, most).map(({ key, title, status }) => ({ key, title, status }))
}
