/** Compares the notes that a walk found with the indexed ones. */
import { globalPartition, projectOf } from '../notes/pure/note-place.ts'
import type { ListedFacts, NoteView } from './note-view.ts'
import type { NoteScope } from './pure/segment.ts'
import type { NoteScan } from './scan-notes.ts'

export interface ComparedNotes {
  readonly scan: NoteScan
  readonly foreign: ReadonlySet<string>
  /** Indexed under the wrong project; all of them are suspects. */
  readonly misplaced: readonly string[]
  /** Notes that exist and may differ from the index. */
  readonly suspects: readonly string[]
  /** Indexed notes that the walk did not find, with the partition that they are indexed under. */
  readonly absent: ReadonlyMap<string, string>
}

export function compareNotes(scan: NoteScan, view: NoteView, idOf: (key: string) => string): ComparedNotes {
  const { found } = scan
  if (scan.isAsIndexed)
    return { scan, foreign: scan.foreign, misplaced: [], suspects: [], absent: new Map<string, string>() }
  // After a glance at few notes, only those are looked up, which takes some hundred times as long as to read one of a list.
  const isFew = scan.isGlance && scan.foreign.size === 0 && found.size * 100 < view.size
  const listed = isFew ? metNotes(scan, view, idOf) : view.listed()
  const foreign = foreignBeside(scan.foreign, listed)
  const suspects: string[] = []
  const misplaced: string[] = []
  const absent = new Map<string, string>()
  let met = 0
  for (const { key, revision, scope } of listed) {
    const now = found.get(key)
    if (now === undefined && !found.has(key)) {
      if (scan.complete) absent.set(key, scope.partition)
      continue
    }
    met += 1
    const isElsewhere = isMisplaced(key, scope, foreign)
    if (isElsewhere) misplaced.push(key)
    if (isElsewhere || now === undefined || revision !== now) suspects.push(key)
  }
  if (met < found.size) {
    const known = new Set(listed.map(({ key }) => key))
    for (const key of found.keys()) if (!known.has(key)) suspects.push(key)
  }
  return { scan, foreign, misplaced, suspects, absent }
}

type MetNote = Pick<ListedFacts, 'key' | 'revision' | 'scope'>

function metNotes({ found }: NoteScan, view: NoteView, idOf: (key: string) => string): readonly MetNote[] {
  return [...found.keys()].flatMap((key) => {
    const place = view.find(idOf(key))
    const facts = place === undefined ? undefined : view.facts(place)
    return facts === undefined ? [] : [{ key, revision: facts.revision, scope: facts }]
  })
}

/** Whether a note in a directory of projects is indexed under the wrong project. */
export function isMisplaced(
  key: string,
  { partition, isOwn }: Pick<NoteScope, 'partition' | 'isOwn'>,
  foreign: ReadonlySet<string>,
): boolean {
  const project = projectOf(key)
  if (project === undefined) return false
  return (isOwn || !foreign.has(project.group) ? project.slug : globalPartition) !== partition
}

/** The foreign directories without those in which an entry of agentm is indexed. */
function foreignBeside(foreign: ReadonlySet<string>, listed: readonly MetNote[]): ReadonlySet<string> {
  if (foreign.size === 0) return foreign
  const own = new Set<string>()
  for (const { key, scope } of listed) if (scope.isOwn) own.add(projectOf(key)?.group ?? '')
  return new Set([...foreign].filter((group) => !own.has(group)))
}
