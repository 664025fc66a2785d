/**
 * Notes as they are now. Nothing is said about a note from the index alone: each candidate is opened, and what was forgotten,
 * moved or changed meanwhile is judged by what is there.
 */
import type { RecallHit } from '@agentm/nodes'
import { contentHash, isSeamError } from '@agentm/storage-seam'
import { withoutKnownBeliefs } from './beliefs/without-known-beliefs.ts'
import type { MemoryContext } from './memory-context.ts'
import type { IndexDrift } from './note-index.ts'
import { noteId } from './pure/note-id.ts'
import { parsedNote } from './parsed-note.ts'
import { isPublished, type Note, numberField, textField } from './pure/note.ts'
import type { FoundItem } from './pure/rank-found.ts'
import { analyzeNote, type AnalyzedNote } from './pure/rank-lexical.ts'
import { isNoteKey } from './scan-notes.ts'

export interface CurrentNotes {
  readonly items: readonly FoundItem[]
  readonly unreadable: readonly string[]
}

export async function currentNotes(
  context: MemoryContext,
  wanted: {
    readonly keys: readonly string[]
    readonly hits: readonly RecallHit[]
    readonly drift: IndexDrift
    readonly partitions: readonly string[]
  },
): Promise<CurrentNotes> {
  const signals = signalsByKey(wanted.hits)
  const unreadable: string[] = []
  const open = async (key: string): Promise<readonly FoundItem[]> => {
    try {
      const text = await textNow(context, key, wanted.drift)
      if (text === undefined) return []
      const note = await parsedNote(text, key)
      if (!wanted.partitions.includes(note.partition) || (await isForgottenCopy(context, key, note))) return []
      if (isPublished(key) && textField(note.fields, 'owner') !== context.owner) return []
      return [itemOf(context, { key, text, note, ...signals.get(key) })]
    } catch (error) {
      if (!isSeamError(error) || error.code === 'STORE_UNAVAILABLE') throw error
      unreadable.push(key)
      return []
    }
  }
  const keys = wanted.keys.filter((key) => isNoteKey(key) && !wanted.drift.scan.conflictCopies.includes(key))
  const items = (await Promise.all(keys.map(open))).flat()
  return { items: await withoutKnownBeliefs(context, items), unreadable }
}

async function textNow(
  { backend, places }: MemoryContext,
  key: string,
  drift: IndexDrift,
): Promise<string | undefined> {
  const changed = drift.changed.get(key)
  if (changed !== undefined) return changed.text
  try {
    return await backend.read(places.at(key))
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    throw error
  }
}

/**
 * A copy under another name, made by a sync program we do not know or by hand, still carries the slug of its original. When
 * that one was forgotten, so was the copy.
 */
async function isForgottenCopy({ backend, places }: MemoryContext, key: string, note: Note): Promise<boolean> {
  const at = places.at(key)
  const named = note.fields.get('slug')
  if (typeof named !== 'string' || `${named}.md` === at.name || /[/\\\0]|^\.+$/.test(named) || named === '')
    return false
  const original = at.parent.child(`${named}.md`)
  try {
    return (await parsedNote(await backend.read(original), original.key)).status === 'deleted'
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return false
    throw error
  }
}

interface Signals {
  readonly similarity: number | undefined
  readonly lexical: number | undefined
}

/** A note's best stretch speaks for it. */
function signalsByKey(hits: readonly RecallHit[]): ReadonlyMap<string, Signals> {
  const best = new Map<string, Signals>()
  for (const { payload, similarity, lexical } of hits) {
    const key = String(payload['key'])
    const known = best.get(key)
    best.set(key, { similarity: greater(known?.similarity, similarity), lexical: greater(known?.lexical, lexical) })
  }
  return best
}

function greater(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

function itemOf(
  { storeId }: MemoryContext,
  found: { readonly key: string; readonly text: string; readonly note: Note } & Partial<Signals>,
): FoundItem {
  const { key, text, note, similarity, lexical } = found
  const body = note.status === 'deleted' ? '' : note.body.trim()
  const title = note.status === 'deleted' ? note.slug : note.title
  const belief = isPublished(key) ? textField(note.fields, 'belief') : undefined
  return {
    id: belief ?? noteId(storeId, key),
    of: belief === undefined ? 'note' : 'belief',
    key,
    ...(belief === undefined ? {} : { version: numberField(note.fields, 'version') ?? 0 }),
    project: note.partition,
    kind: note.kind,
    status: note.status,
    title,
    tags: note.tags,
    createdAt: note.createdAt,
    agesFrom: note.agesFrom,
    text: body,
    alwaysLoad: note.alwaysLoad,
    section: note.section,
    analyzed: analyzed(`${key} ${contentHash(text)}`, { title: [title, ...note.tags].join(' '), text: body }),
    similarity,
    lexical,
  }
}

// Cutting a note into terms is the dear part, and a long-lived process meets the same notes again. Bounded, and by place and hash.
const known = new Map<string, AnalyzedNote>()
const mostKnown = 1000

function analyzed(version: string, note: { readonly title: string; readonly text: string }): AnalyzedNote {
  const found = known.get(version)
  if (found !== undefined) return found
  if (known.size >= mostKnown) known.clear()
  const made = analyzeNote(note)
  known.set(version, made)
  return made
}
