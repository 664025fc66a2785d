/**
 * Notes in their current state. No result comes from the index alone: each note is opened, because it may have been forgotten,
 * moved or changed meanwhile. A note that the walk found unchanged may be ranked by its cached terms, but is opened before it is
 * returned.
 */
import type { RecallHit } from '@agentm/nodes'
import { contentHash, isSeamError } from '@agentm/storage-seam'
import { withoutKnownBeliefs } from './without-known-beliefs.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { IndexDrift } from '../index/note-index.ts'
import { noteId } from '../notes/pure/note-id.ts'
import { placeOf } from '../notes/pure/note-place.ts'
import { parsedNote } from '../notes/parsed-note.ts'
import { isPublished, type Note, numberField, textField } from '../notes/pure/note.ts'
import type { NoteFacts } from './known-texts.ts'
import type { FoundItem } from './pure/rank-found.ts'
import type { AnalyzedNote } from '../ranking/pure/rank-lexical.ts'
import { recalledText } from '../index/pure/recalled-text.ts'
import { isRoutineStatement } from './pure/routine.ts'
import { statementIn } from '../notes/pure/statement-in.ts'
import { isNoteKey } from '../index/scan-notes.ts'

export interface CurrentNotes {
  readonly items: readonly FoundItem[]
  readonly unreadable: readonly string[]
}

export interface WantedNotes {
  readonly keys: readonly string[]
  /** The similarity of a note to the question, if it is known. */
  readonly similarityOf?: (
    key: string,
  ) => Pick<FoundItem, 'similarityBelow'> & { readonly similarity?: number | undefined }
  readonly drift: IndexDrift
  readonly partitions: readonly string[]
  /** Uses the cached terms of notes that the walk found unchanged, without reading their texts. */
  readonly fromMemory?: boolean
}

export async function currentNotes(context: MemoryContext, wanted: WantedNotes): Promise<CurrentNotes> {
  const { drift, similarityOf } = wanted
  const conflictCopies = new Set(drift.scan.conflictCopies)
  const unreadable: string[] = []
  const open = async (key: string): Promise<readonly FoundItem[]> => {
    try {
      const found = await factsNow(context, key, wanted)
      if (found === undefined || !(await mayBeShown(context, key, found.facts, wanted.partitions))) return []
      const { text } = found
      const { facts, analyzed } = found
      return [{ ...facts.item, analyzed, text, similarity: undefined, lexical: undefined, ...similarityOf?.(key) }]
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

interface ReadNote {
  readonly facts: NoteFacts
  readonly analyzed: AnalyzedNote
  /** Absent if the note was taken from the cache. */
  readonly text: string | undefined
}

async function factsNow(context: MemoryContext, key: string, wanted: WantedNotes): Promise<ReadNote | undefined> {
  const { drift, fromMemory = false } = wanted
  const hash = fromMemory ? unchangedHash(drift, key) : undefined
  const known = hash === undefined ? undefined : remembered(context, { key, hash, drift })
  if (known !== undefined) return { ...known, text: undefined }
  const text = await textNow(context, key, drift)
  return text === undefined ? undefined : readNote(context, { key, whole: text, drift })
}

/** The hash of a note that has not changed since it was indexed; otherwise `undefined`. */
function unchangedHash({ indexed, changed, scan }: IndexDrift, key: string): string | undefined {
  const known = indexed.get(key)
  const isSame = known?.revision !== undefined && known.revision === scan.found.get(key) && !changed.has(key)
  return isSame ? known.hash : undefined
}

interface NoteVersionHere {
  readonly key: string
  readonly hash: string
  readonly drift: IndexDrift
}

function remembered(context: MemoryContext, version: NoteVersionHere): Omit<ReadNote, 'text'> | undefined {
  const known = context.corpus.texts.find(versionOf(context, version))
  return known?.facts === undefined ? undefined : { facts: known.facts, analyzed: known.analyzed }
}

/** The version includes the project, because a directory may become an agentm project or stop being one. */
function versionOf({ storeId }: MemoryContext, { key, hash, drift: { foreign } }: NoteVersionHere): string {
  return `${storeId} ${placeOf(key, foreign).partition} ${key} ${hash}`
}

async function readNote(
  context: MemoryContext,
  { key, whole, drift }: { readonly key: string; readonly whole: string; readonly drift: IndexDrift },
): Promise<ReadNote> {
  const version = { key, hash: contentHash(whole), drift }
  const note = await parsedNote(whole, key, drift.foreign)
  const text = note.status === 'deleted' ? '' : recalledText(note.body.trim())
  const known = remembered(context, version)
  if (known !== undefined) return { ...known, text }
  const facts = factsIn(context, key, note)
  const { tags } = facts.item
  const title = [facts.name, ...tags].join(' ')
  const { analyzed } = context.corpus.texts.of(versionOf(context, version), { title, text }, facts)
  return { facts, analyzed, text }
}

async function mayBeShown(
  context: MemoryContext,
  key: string,
  { item, named, publishedFor }: NoteFacts,
  partitions: readonly string[],
): Promise<boolean> {
  if (!partitions.includes(item.project) || (item.of === 'belief' && publishedFor !== context.owner)) return false
  return named === undefined || !(await isForgotten(context, key, named))
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

function otherName(key: string, note: Note): string | undefined {
  const named = note.isOwn ? note.fields.get('slug') : undefined
  if (typeof named !== 'string' || named === '' || /[/\\\0]|^\.+$/.test(named)) return undefined
  return `${named}.md` === key.slice(key.lastIndexOf('/') + 1) ? undefined : named
}

/** The similarity of a note is that of its best part. A note without a vector is listed without a similarity. */
export function similarityByKey(
  hits: readonly RecallHit[],
  keyOf: (hit: RecallHit) => string | undefined,
): ReadonlyMap<string, number | undefined> {
  const best = new Map<string, number | undefined>()
  for (const hit of hits) {
    const key = keyOf(hit)
    if (key !== undefined) best.set(key, greater(best.get(key), hit.similarity))
  }
  return best
}

function greater(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)
}

function factsIn({ storeId }: MemoryContext, key: string, note: Note): NoteFacts {
  const belief = isPublished(key, note.fields) ? textField(note.fields, 'belief') : undefined
  const item = {
    id: belief ?? noteId(storeId, key),
    of: belief === undefined ? 'note' : 'belief',
    key,
    ...(belief === undefined ? {} : { version: numberField(note.fields, 'version') ?? 0 }),
    project: note.partition,
    kind: note.kind,
    status: note.status,
    title: note.status === 'deleted' ? note.slug : note.title,
    tags: note.tags,
    createdAt: note.createdAt,
    agesFrom: note.agesFrom,
    alwaysLoad: note.alwaysLoad,
    section: note.section,
    ...(note.writtenBy === undefined ? {} : { writtenBy: note.writtenBy }),
    isRoutine:
      (belief !== undefined && isRoutineStatement(statementIn(note.body))) ||
      (note.writtenBy === 'agent' && isRoutineStatement(note.body)),
  } as const
  const name = note.status === 'deleted' ? note.slug : note.name
  return { item, name, named: otherName(key, note), publishedFor: textField(note.fields, 'owner') }
}
