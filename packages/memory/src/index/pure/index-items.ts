/**
 * A note in the form that a recall store keeps: one item with all its words, and one item for each part of a long note, because
 * meaning is compared best on short texts. The first item also has the data of the note that is needed without opening it.
 */
import type { Payload, RecallItem } from '@agentm/nodes'
import { contentHash } from '@agentm/storage-seam'
import { itemPrefix, noteConceptOf, noteId, stretchConceptOf } from '../../notes/pure/note-id.ts'
import { fingerprint } from '../../notes/pure/fingerprint.ts'
import { indexForm, isActive } from './indexed-note.ts'
import { isPublished, type Note } from '../../notes/pure/note.ts'
import { parseNote } from '../../notes/pure/parse-note.ts'
import { passagesOf, windowsOf } from '../../ranking/pure/passages.ts'
import { recalledText } from './recalled-text.ts'
import { termCodes } from './term-codes.ts'
import { termsOf } from '../../ranking/pure/tokenize.ts'

export interface LoadedNote {
  readonly key: string
  readonly text: string
  readonly revision: string | undefined
}

// A part has three passages and starts two after the one before. An answer is rarely longer, and parts overlap so that no answer is
// split.
const stretch = { size: 3, step: 2 }

export interface IndexedAs {
  /** When this text was first seen on this device. */
  readonly seenAt?: number
  /** Directories among the projects that are no agentm projects. */
  readonly foreign?: ReadonlySet<string> | undefined
}

export function indexItems(
  { storeId, owner }: { readonly storeId: string; readonly owner: string },
  loaded: LoadedNote,
  { seenAt = 0, foreign }: IndexedAs = {},
): readonly RecallItem[] {
  const note = parseNote(loaded.text, loaded.key, foreign)
  const id = noteId(storeId, loaded.key)
  const prefix = itemPrefix(id, owner)
  const words = wordsOf(note)
  const common = {
    partition: note.partition,
    source: id,
    status: note.status,
    active: isActive(note.status),
    createdAt: note.createdAt,
    agesFrom: note.agesFrom,
  }
  const data = { ...headData(note, loaded, words), seenAt }
  const head = { ...common, concept: noteConceptOf(storeId), id: `${prefix}0`, text: words, data }
  const stretches = stretchesOf(note).map((text, i) => ({
    ...common,
    concept: stretchConceptOf(storeId),
    id: `${prefix}${i + 1}`,
    text,
    data: { key: loaded.key },
  }))
  return [head, ...stretches].map(withTextHash)
}

/** The words that a note is indexed by. For a forgotten note, only the name is kept. */
function wordsOf(note: Note): string {
  if (note.status === 'deleted') return note.slug
  return [note.name, note.tags.join(' '), recalledText(note.body.trim())].filter((part) => part !== '').join('\n')
}

function stretchesOf(note: Note): readonly string[] {
  const text = note.status === 'deleted' ? '' : recalledText(note.body)
  const passages = passagesOf(text)
  if (passages.length <= stretch.size) return []
  return windowsOf(passages, stretch).map(({ start, end }) => `${note.name}\n${text.slice(start, end)}`)
}

/** Vectors are cached by the hash of their text. With the hash in the item, a removed item's vector can be removed from the cache. */
function withTextHash(item: RecallItem): RecallItem {
  return { ...item, data: { ...item.data, textHash: contentHash(item.text) } }
}

function headData(note: Note, { key, text, revision }: LoadedNote, words: string): Payload {
  const stems = termsOf(words).map(({ stem }) => stem)
  return {
    form: indexForm,
    key,
    hash: contentHash(text),
    ...(revision === undefined ? {} : { revision }),
    kind: note.kind,
    status: note.status,
    ...(note.isOwn ? { own: true } : {}),
    ...(isPublished(key, note.fields) ? { belief: true } : {}),
    ...(note.writtenBy === undefined ? {} : { writtenBy: note.writtenBy }),
    slug: note.slug,
    title: note.status === 'deleted' ? note.slug : note.title,
    tags: note.tags,
    createdAt: note.createdAt,
    print: note.status === 'deleted' ? '' : fingerprint(note.body),
    length: stems.length,
    codes: termCodes(stems),
  }
}
