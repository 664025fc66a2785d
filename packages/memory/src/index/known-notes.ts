/** What the index knows of notes like the one to be saved. A hint to look: whoever saves judges by the note itself. */
import { readablePartitions } from '../bound-project.ts'
import { isActive } from './pure/indexed-note.ts'
import { alwaysLoadName, placeOf } from '../notes/pure/note-place.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { NoteIndex } from './note-index.ts'
import { likeness } from '../notes/pure/fingerprint.ts'
import { noteConceptOf } from '../notes/pure/note-id.ts'
import type { KnownNotes, SimilarNote } from '../notes/save-note.ts'

/** From here on a person should look whether both are wanted. */
const alike = 0.5
const mostAlike = 3
const compared = 30

export function knownNotes(context: MemoryContext, index: NoteIndex): KnownNotes {
  const readable = readablePartitions(context.project)
  // One look serves one save: its questions are asked before anything is written.
  const looks = new Map<string, ReturnType<NoteIndex['indexed']>>()
  const notesOf = async (partition: string) => {
    const look = looks.get(partition) ?? index.indexed([partition])
    looks.set(partition, look)
    return [...(await look).byKey.values()].filter(({ status }) => isActive(status))
  }
  return {
    sameText: async ({ partitions, kind, print, alwaysLoad = false }) => {
      for (const partition of partitions) {
        const same = (await notesOf(partition)).find(
          (note) =>
            note.print === print && (kind ?? note.kind) === note.kind && (!alwaysLoad || isAlwaysLoaded(note.key)),
        )
        if (same !== undefined) return same.key
      }
      return undefined
    },
    tagged: async (partition, tag) => (await notesOf(partition)).find(({ tags }) => tags.includes(tag))?.key,
    similarTo: async (text, exceptKey) => similarTo(context, { partitions: readable, text, exceptKey }),
  }
}

function isAlwaysLoaded(key: string): boolean {
  const { isOurs, section } = placeOf(key)
  return isOurs && section === alwaysLoadName
}

async function similarTo(
  { recall, owner, storeId }: MemoryContext,
  {
    partitions,
    text,
    exceptKey,
  }: { readonly partitions: readonly string[]; readonly text: string; readonly exceptKey: string },
): Promise<readonly SimilarNote[]> {
  const { hits } = await recall.recall({
    text: text.slice(0, 500),
    owner,
    concepts: [noteConceptOf(storeId)],
    partitions,
    k: compared,
    wSem: 0,
    wLex: 1,
    wRec: 0,
  })
  const whole = hits.filter(({ payload }) => payload['form'] !== undefined && payload['key'] !== exceptKey)
  return whole
    .map(({ source, payload, text: words }) => ({
      id: source,
      key: String(payload['key']),
      title: String(payload['title']),
      likeness: likeness(text, words.slice(words.indexOf('\n') + 1)),
    }))
    .filter((note) => note.likeness >= alike)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, mostAlike)
}
