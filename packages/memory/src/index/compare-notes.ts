/** Compares the notes that a walk found with the indexed ones. */
import { globalPartition, projectOf } from '../notes/pure/note-place.ts'
import type { IndexedNotes } from './indexed-notes.ts'
import type { IndexedNote } from './pure/indexed-note.ts'
import type { NoteScan } from './scan-notes.ts'

export interface ComparedNotes {
  readonly scan: NoteScan
  readonly indexed: IndexedNotes
  readonly foreign: ReadonlySet<string>
  /** Indexed under the wrong project; all of them are suspects. */
  readonly misplaced: readonly string[]
  /** Notes that exist and may differ from the index. */
  readonly suspects: readonly string[]
  /** Indexed notes that the walk did not find. */
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

/** Whether a note in a directory of projects is indexed under the wrong project. */
export function isMisplaced({ key, partition, isOwn }: IndexedNote, foreign: ReadonlySet<string>): boolean {
  const project = projectOf(key)
  if (project === undefined) return false
  return (isOwn || !foreign.has(project.group) ? project.slug : globalPartition) !== partition
}

/** The foreign directories without those in which an entry of agentm is indexed. */
function foreignBeside(foreign: ReadonlySet<string>, indexed: IndexedNotes): ReadonlySet<string> {
  if (foreign.size === 0) return foreign
  const own = new Set<string>()
  for (const { key, isOwn } of indexed.byKey.values()) if (isOwn) own.add(projectOf(key)?.group ?? '')
  return new Set([...foreign].filter((group) => !own.has(group)))
}
