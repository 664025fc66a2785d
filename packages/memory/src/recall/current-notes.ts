/**
 * Notes in their current state. No result comes from the index alone: each note is opened before it is returned, because it may have been
 * forgotten, moved or changed meanwhile.
 */
import { contentHash, isSeamError } from '@agentm/storage-seam'
import { withoutKnownBeliefs } from './without-known-beliefs.ts'
import type { MemoryContext } from '../memory-context.ts'
import { isMisplaced } from '../index/compare-notes.ts'
import type { IndexDrift } from '../index/note-index.ts'
import type { IndexedNote } from '../index/pure/indexed-note.ts'
import { recalledText } from '../index/pure/recalled-text.ts'
import { parsedNote } from '../notes/parsed-note.ts'
import type { FoundItem } from './pure/rank-found.ts'
import type { AnalyzedNote } from '../ranking/pure/rank-lexical.ts'
import { isNoteKey } from '../index/scan-notes.ts'

export interface CurrentNotes {
  readonly items: readonly FoundItem[]
  readonly unreadable: readonly string[]
}

export interface WantedNotes {
  readonly keys: readonly string[]
  /** The similarity of a note to the question, if it is known. */
  readonly similarityOf?: (key: string) => number | undefined
  /** A note as the index knows it. If its file still has that text, it is not cut into terms again. */
  readonly known?: (key: string) => FoundItem | undefined
  readonly drift: IndexDrift
  readonly partitions: readonly string[]
}

export async function currentNotes(context: MemoryContext, wanted: WantedNotes): Promise<CurrentNotes> {
  const { drift, similarityOf, known, partitions } = wanted
  const conflictCopies = new Set(drift.scan.conflictCopies)
  const unreadable: string[] = []
  const open = async (key: string): Promise<readonly FoundItem[]> => {
    try {
      const item = await openNote(context, key, { drift, known: known?.(key) })
      if (item === undefined || !(await mayBeShown(context, item.facts, partitions))) return []
      return [{ ...item, similarity: similarityOf?.(key) }]
    } catch (error) {
      if (!isSeamError(error) || error.code === 'STORE_UNAVAILABLE') throw error
      unreadable.push(key)
      return []
    }
  }
  const keys = wanted.keys.filter((key) => isNoteKey(key, drift.foreign) && !conflictCopies.has(key))
  const items = (await Promise.all(keys.map(open))).flat()
  return { items: await withoutKnownBeliefs(context, items), unreadable }
}

async function openNote(
  context: MemoryContext,
  key: string,
  { drift, known }: { readonly drift: IndexDrift; readonly known: FoundItem | undefined },
): Promise<(FoundItem & { readonly facts: IndexedNote }) | undefined> {
  const whole = await textNow(context, key, drift)
  if (whole === undefined) return undefined
  const { storeId, corpus } = context
  const { foreign } = drift
  const hash = contentHash(whole)
  const parsed = await parsedNote(whole, key, foreign)
  const text = parsed.status === 'deleted' ? '' : recalledText(parsed.body.trim())
  const facts = known?.facts
  if (known !== undefined && facts?.hash === hash && !isMisplaced(key, facts, foreign)) return { ...known, facts, text }
  const loaded = { key, text: whole, revision: undefined }
  const { note, analyzed } = await corpus.texts.file(loaded, hash, { storeId, foreign })
  return { ...itemOf(note, analyzed), facts: note, text }
}

/** A note as a candidate. Its text is absent until it is opened. */
export function itemOf(facts: IndexedNote, analyzed: AnalyzedNote): FoundItem {
  const { belief, writtenBy } = facts
  return {
    id: belief?.id ?? facts.id,
    of: belief === undefined ? 'note' : 'belief',
    key: facts.key,
    facts,
    ...(belief === undefined ? {} : { version: belief.version }),
    project: facts.partition,
    kind: facts.kind,
    status: facts.status,
    title: facts.title,
    tags: facts.tags,
    createdAt: facts.createdAt,
    agesFrom: facts.agesFrom,
    text: undefined,
    alwaysLoad: facts.alwaysLoad,
    section: facts.section,
    ...(writtenBy === undefined ? {} : { writtenBy }),
    analyzed,
    similarity: undefined,
    lexical: undefined,
    isRoutine: facts.isRoutine ?? false,
  }
}

/** Whether it belongs to what is asked, as far as its facts tell. A published belief belongs to its owner. */
export function isReadable(
  { partition, belief }: IndexedNote,
  { owner, partitions }: { readonly owner: string; readonly partitions: readonly string[] },
): boolean {
  return partitions.includes(partition) && (belief === undefined || belief.owner === owner)
}

async function mayBeShown(context: MemoryContext, facts: IndexedNote, partitions: readonly string[]): Promise<boolean> {
  if (!isReadable(facts, { owner: context.owner, partitions })) return false
  return facts.named === undefined || !(await isForgotten(context, facts.key, facts.named))
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
 * Whether the note is a copy of a forgotten note. A copy under another name, made by hand or by an unknown sync program, still has
 * the slug of its original. If the original was forgotten, so is the copy.
 */
async function isForgotten({ backend, places }: MemoryContext, key: string, named: string): Promise<boolean> {
  const original = places.at(key).parent.child(`${named}.md`)
  try {
    return (await parsedNote(await backend.read(original), original.key)).status === 'deleted'
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return false
    throw error
  }
}
