/** What the index knows of notes like the one to be saved. A hint to look: whoever saves judges by the note itself. */
import { isActive } from './pure/indexed-note.ts'
import type { MemoryContext } from './memory-context.ts'
import type { NoteIndex } from './note-index.ts'
import { likeness } from './pure/fingerprint.ts'
import { noteConceptOf } from './pure/note-id.ts'
import type { KnownNotes, SimilarNote } from './save-note.ts'

/** From here on a person should look whether both are wanted. */
const alike = 0.5
const mostAlike = 3
const compared = 30

export function knownNotes(context: MemoryContext, index: NoteIndex): KnownNotes {
  // One look serves one save: its questions are asked before anything is written.
  const looks = new Map<string, ReturnType<NoteIndex['indexed']>>()
  const notesOf = async (partition: string) => {
    const look = looks.get(partition) ?? index.indexed([partition])
    looks.set(partition, look)
    return [...(await look).values()].filter(({ status }) => isActive(status))
  }
  return {
    sameText: async (partition, kind, print) =>
      (await notesOf(partition)).find((note) => note.kind === kind && note.print === print)?.key,
    tagged: async (partition, tag) => (await notesOf(partition)).find(({ tags }) => tags.includes(tag))?.key,
    similarTo: async (partition, text, exceptKey) => similarTo(context, { partition, text, exceptKey }),
  }
}

async function similarTo(
  { recall, owner, storeId }: MemoryContext,
  { partition, text, exceptKey }: { readonly partition: string; readonly text: string; readonly exceptKey: string },
): Promise<readonly SimilarNote[]> {
  const { hits } = await recall.recall({
    text: text.slice(0, 500),
    owner,
    concepts: [noteConceptOf(storeId)],
    partitions: [partition],
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
