/** What the index knows about notes like the one to be saved. It is only a hint: saving compares with the note itself. */
import { readablePartitions } from '../bound-project.ts'
import type { LookedUp } from './note-view.ts'
import { NoteWords } from './note-words.ts'
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
  const held = (fact: LookedUp, value: string, partition: string) =>
    index
      .read((view) => view.holdersOfFact(fact, value))
      .filter((note) => note.partition === partition && isActive(note.status))
  return {
    sameText: async ({ partitions, kind, print, alwaysLoad = false }) => {
      for (const partition of partitions) {
        const same = held('print', print, partition).find(
          (note) => (kind ?? note.kind) === note.kind && (!alwaysLoad || isAlwaysLoaded(note.key)),
        )
        if (same !== undefined) return same.key
      }
      return undefined
    },
    tagged: async (partition, tag) => held('tag', tag, partition)[0]?.key,
    similarTo: async (text, exceptKey) => similarTo(context, index, { text, exceptKey, readable }),
  }
}

function isAlwaysLoaded(key: string): boolean {
  const { isOurs, section } = placeOf(key)
  return isOurs && section === alwaysLoadName
}

interface Likened {
  readonly text: string
  readonly exceptKey: string
  readonly readable: readonly string[]
}

/** Opens the few notes that contain its words, because the index may be older than the note. */
async function similarTo(
  context: MemoryContext,
  index: NoteIndex,
  { text, exceptKey, readable }: Likened,
): Promise<readonly SimilarNote[]> {
  const likely = index.read((view) => {
    const words = new NoteWords(
      (look) => index.read(look),
      ({ partition, status }) => readable.includes(partition) && isActive(status),
    )
    const places = words.likely(view, { text: text.slice(0, longestAsked), most: compared + 1 })
    return places.flatMap((place) => view.facts(place) ?? []).filter(({ key }) => key !== exceptKey)
  })
  const found = await Promise.all(
    likely.slice(0, compared).map(async ({ id, key, title }) => {
      const whole = await readIfPresent(context.backend, context.places.at(key)).catch(unlessUnreadable)
      if (whole === undefined) return []
      const body = recalledText((await parsedNote(whole, key)).body.trim())
      return [{ id, key, title, likeness: likeness(text, body) }]
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
