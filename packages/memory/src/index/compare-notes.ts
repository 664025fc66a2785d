/** The notes that a walk found, beside those that are indexed. */
import { globalPartition, projectOf } from '../notes/pure/note-place.ts'
import type { IndexedNotes } from './indexed-notes.ts'
import type { IndexedNote } from './pure/indexed-note.ts'
import type { NoteScan } from './scan-notes.ts'

export interface ComparedNotes {
  readonly scan: NoteScan
  readonly indexed: IndexedNotes
  readonly foreign: ReadonlySet<string>
  /** Indexed as somebody else's than they are; all of them are suspects. */
  readonly misplaced: readonly string[]
  /** There, and not surely as the index knows them. */
  readonly suspects: readonly string[]
  /** Known, and not found. */
  readonly absent: readonly string[]
}

export function compareNotes(scan: NoteScan, indexed: IndexedNotes): ComparedNotes {
  const { found } = scan
  const foreign = foreignBeside(scan.foreign, indexed)
  const suspects: string[] = []
  const misplaced: string[] = []
  for (const [key, revision] of found) {
    const note = indexed.get(key)
    const isElsewhere = note !== undefined && isMisplaced(note, foreign)
    if (isElsewhere) misplaced.push(key)
    if (isElsewhere || revision === undefined || note?.revision !== revision) suspects.push(key)
  }
  const absent: string[] = []
  for (const key of indexed.byKey.keys()) if (!found.has(key)) absent.push(key)
  return { scan, indexed, foreign, misplaced, suspects, absent }
}

/** Whether a note in a home of projects is indexed as somebody else's than it is. */
export function isMisplaced({ key, partition, isOwn }: IndexedNote, foreign: ReadonlySet<string>): boolean {
  const project = projectOf(key)
  if (project === undefined) return false
  return (isOwn || !foreign.has(project.group) ? project.slug : globalPartition) !== partition
}

/** Without the directories in which an entry of ours is indexed. */
function foreignBeside(foreign: ReadonlySet<string>, indexed: IndexedNotes): ReadonlySet<string> {
  if (foreign.size === 0) return foreign
  const own = new Set<string>()
  for (const { key, isOwn } of indexed.byKey.values()) if (isOwn) own.add(projectOf(key)?.group ?? '')
  return new Set([...foreign].filter((group) => !own.has(group)))
}
