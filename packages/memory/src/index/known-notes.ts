/** What the index knows about notes like the one to be saved. It is only a hint: saving compares with the note itself. */
import { readablePartitions } from '../bound-project.ts'
import type { IndexedNotes } from './indexed-notes.ts'
import { isActive } from './pure/indexed-note.ts'
import { recalledText } from './pure/recalled-text.ts'
import { alwaysLoadName, placeOf } from '../notes/pure/note-place.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { NoteIndex } from './note-index.ts'
import { likeness } from '../notes/pure/fingerprint.ts'
import { isUnreadable } from '../notes/is-unreadable.ts'
import { parsedNote } from '../notes/parsed-note.ts'
import { readIfPresent } from '../notes/read-if-present.ts'
import type { KnownNotes, SimilarNote } from '../notes/save-note.ts'

/** From this similarity on, a person should check whether both notes are wanted. */
const alike = 0.5
const mostAlike = 3
const compared = 10
const longestAsked = 500

export function knownNotes(context: MemoryContext, index: NoteIndex): KnownNotes {
  const readable = readablePartitions(context.project)
  // The index is read once for a save, because all questions are asked before the write.
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
    similarTo: async (text, exceptKey) => similarTo(context, await index.indexed(readable), { text, exceptKey }),
  }
}

function isAlwaysLoaded(key: string): boolean {
  const { isOurs, section } = placeOf(key)
  return isOurs && section === alwaysLoadName
}

interface Likened {
  readonly text: string
  readonly exceptKey: string
}

/** Opens the few notes that contain its words, because the index may be older than the note. */
async function similarTo(
  context: MemoryContext,
  indexed: IndexedNotes,
  { text, exceptKey }: Likened,
): Promise<readonly SimilarNote[]> {
  const isWanted = (key: string) => key !== exceptKey && isActive(indexed.get(key)?.status ?? '')
  const keys = indexed.living.likely(text.slice(0, longestAsked), compared, isWanted)
  const found = await Promise.all(
    keys.map(async (key) => {
      const whole = await readIfPresent(context.backend, context.places.at(key)).catch(unlessUnreadable)
      const known = indexed.get(key)
      if (whole === undefined || known === undefined) return []
      const body = recalledText((await parsedNote(whole, key)).body.trim())
      return [{ id: known.id, key, title: known.title, likeness: likeness(text, body) }]
    }),
  )
  return found
    .flat()
    .filter((note) => note.likeness >= alike)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, mostAlike)
}

function unlessUnreadable(error: unknown): undefined {
  if (!isUnreadable(error)) throw error
}
