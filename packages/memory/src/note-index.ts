/**
 * The notes of one store in a recall store: derived, rebuildable, and never the last word. What the walk finds changed is
 * opened and hashed; an index that is behind is put right by the next writer, and seen through by every reader.
 */
import type { RecallEntry } from '@agentm/nodes'
import { contentHash, isSeamError } from '@agentm/storage-seam'
import { isUnreadable } from './is-unreadable.ts'
import type { MemoryContext } from './memory-context.ts'
import type { LoadedNote } from './pure/index-items.ts'
import { type IndexedNote, indexedNote } from './pure/indexed-note.ts'
import { isNoteId, itemPrefix, noteConceptOf, noteId, stretchConceptOf } from './pure/note-id.ts'
import { placeOf } from './pure/note-place.ts'
import { type NoteScan, scanNotes, type ScanOptions } from './scan-notes.ts'
import { checkStoreMarker } from './check-store-marker.ts'

/** How the index and the store differ. */
export interface IndexDrift {
  readonly indexed: ReadonlyMap<string, IndexedNote>
  readonly changed: ReadonlyMap<string, LoadedNote>
  /** How many notes say something else than is indexed, or are gone. */
  readonly edited: number
  /** Keys whose notes are gone. */
  readonly removed: readonly string[]
  /** Keys of notes that are there and cannot be read now. */
  readonly unreadable: readonly string[]
  readonly scan: NoteScan
}

export type Progress = (done: number, total: number) => void

// More than this at once would hold all texts of a large store in memory.
const batch = 64
const pageSize = 1000

export class NoteIndex {
  readonly #context: MemoryContext

  constructor(context: MemoryContext) {
    this.#context = context
  }

  /** By key. */
  async indexed(partitions?: readonly string[]): Promise<ReadonlyMap<string, IndexedNote>> {
    const { recall, owner, storeId } = this.#context
    return within(notesOf(await recall.entries({ owner, concept: noteConceptOf(storeId) })), partitions)
  }

  /** The key behind an id; nothing for a note that was never indexed. */
  async keyOf(id: string): Promise<string | undefined> {
    const [head] = isNoteId(id) ? await this.#itemsOf(id) : []
    return head === undefined ? undefined : indexedNote(head.source, head.partition, head.data)?.key
  }

  /** Compares, and changes nothing. Refuses where the store's marker is not there: an unmounted drive looks empty. */
  async drift(options: ScanOptions & { readonly most?: number } = {}): Promise<IndexDrift> {
    const { scan, known, suspects } = await this.#compare(options)
    const { loaded, unreadable } = await this.#load(suspects.slice(0, options.most))
    const changed = loaded.filter((note) => isNews(note, known.get(note.key)))
    const removed = removedFrom(known, scan, options.partitions)
    const isWhole = scan.complete && suspects.length <= (options.most ?? Infinity)
    return {
      indexed: within(known, options.partitions),
      changed: byKey(changed),
      edited: changed.filter((note) => isEdited(note, known.get(note.key))).length + removed.length,
      removed,
      unreadable: [...scan.unreadable, ...scan.tooLarge, ...unreadable],
      scan: { ...scan, complete: isWhole },
    }
  }

  /** Brings the index up to the store. Answers how much was different, and the index as it is now. */
  async follow(options: ScanOptions & { readonly onProgress?: Progress } = {}): Promise<IndexDrift> {
    const { scan, known, suspects } = await this.#compare(options)
    const unreadable = [...scan.unreadable, ...scan.tooLarge]
    let [news, edited] = [0, 0]
    for (let i = 0; i < suspects.length; i += batch) {
      const some = await this.#load(suspects.slice(i, i + batch))
      unreadable.push(...some.unreadable)
      const changed = some.loaded.filter((note) => isNews(note, known.get(note.key)))
      await Promise.all(changed.map(async (note) => this.put(note)))
      news += changed.length
      edited += changed.filter((note) => isEdited(note, known.get(note.key))).length
      options.onProgress?.(Math.min(i + batch, suspects.length), suspects.length)
    }
    const removed = removedFrom(known, scan, options.partitions)
    await this.drop(removed)
    const isSame = news + removed.length === 0
    const indexed = isSame ? within(known, options.partitions) : await this.indexed(options.partitions)
    return { indexed, changed: new Map(), edited: edited + removed.length, removed: [], unreadable, scan }
  }

  /** Indexes the note as it is now; drops it where it is gone. */
  async refresh(key: string): Promise<void> {
    const { loaded } = await this.#load([key])
    const [note] = loaded
    if (note !== undefined) await this.put(note)
    else if (!(await this.#context.backend.exists(this.#context.places.at(key)))) await this.drop([key])
  }

  async put(loaded: LoadedNote): Promise<void> {
    const { recall, owner, storeId, runtime, embedder } = this.#context
    const id = noteId(storeId, loaded.key)
    const before = await this.#itemsOf(id)
    const known = before.flatMap(({ source, partition, data }) => indexedNote(source, partition, data) ?? [])[0]
    const seenAt = known?.hash === contentHash(loaded.text) ? known.seenAt : runtime.now()
    const { indexItems } = await import('./pure/index-items.ts')
    const items = indexItems(this.#context, loaded, seenAt)
    await recall.put(items, { owner, replace: id })
    const kept = new Set(items.map(({ data }) => data?.['textHash']))
    const gone = before.map(({ data }) => String(data['textHash'])).filter((hash) => !kept.has(hash))
    if (gone.length > 0) await embedder?.forget?.(gone)
  }

  async drop(keys: readonly string[], options: { readonly erase?: boolean } = {}): Promise<void> {
    const ids = keys.map((key) => noteId(this.#context.storeId, key))
    for (let i = 0; i < ids.length; i += batch)
      await Promise.all(ids.slice(i, i + batch).map(async (id) => this.#dropOne(id, options)))
  }

  /** Everything of this store. Vectors stay cached: what is built again from the same text needs them again. */
  async clear(): Promise<void> {
    const { recall, owner, storeId } = this.#context
    const concepts = [noteConceptOf(storeId), stretchConceptOf(storeId)]
    const found = await Promise.all(concepts.map(async (concept) => this.#sourcesOf(concept)))
    const sources = [...new Set(found.flat())]
    for (let i = 0; i < sources.length; i += batch)
      await Promise.all(sources.slice(i, i + batch).map(async (source) => recall.remove({ source }, { owner })))
  }

  async #dropOne(id: string, { erase = false }: { readonly erase?: boolean }): Promise<void> {
    const { recall, owner, embedder } = this.#context
    const gone = (await this.#itemsOf(id)).map(({ data }) => String(data['textHash']))
    await recall.remove({ source: id }, { owner, erase })
    if (gone.length > 0) await embedder?.forget?.(gone)
  }

  /** Page by page: who asks for all at once is taken to ask again. */
  async #sourcesOf(concept: string): Promise<readonly string[]> {
    const { recall, owner } = this.#context
    const found: string[] = []
    for (let after = ''; ;) {
      const page = await recall.entries({ owner, concept, after, limit: pageSize })
      found.push(...page.map(({ source }) => source))
      after = page.at(-1)?.id ?? ''
      if (page.length < pageSize) return found
    }
  }

  /** The first item of a note, then its stretches. */
  async #itemsOf(id: string): Promise<readonly RecallEntry[]> {
    const { recall, owner } = this.#context
    const found: RecallEntry[] = []
    for (let after = itemPrefix(id, owner); ; after = found.at(-1)?.id ?? '') {
      const page = await recall.entries({ owner, after, limit: batch })
      const own = page.filter(({ source }) => source === id)
      found.push(...own)
      if (own.length < batch) return found
    }
  }

  /** What is there beside what is indexed. Refuses where the store's marker is not there. */
  async #compare(options: ScanOptions) {
    const { backend, storeId } = this.#context
    await checkStoreMarker(backend, storeId)
    const [scan, known] = await Promise.all([scanNotes(this.#context, options), this.indexed()])
    return { scan, known, suspects: comparedOf(scan.found, known).suspects }
  }

  /** Opens notes. The revision is taken first: a change in between then shows, at the next look, as a change. */
  async #load(keys: readonly string[]): Promise<{ loaded: LoadedNote[]; unreadable: string[] }> {
    const loaded: LoadedNote[] = []
    const unreadable: string[] = []
    const load = async (key: string) => {
      const note = await this.#open(key)
      if (note === 'unreadable') unreadable.push(key)
      else if (note !== 'gone') loaded.push(note)
    }
    for (let i = 0; i < keys.length; i += batch) await Promise.all(keys.slice(i, i + batch).map(load))
    return { loaded, unreadable }
  }

  async #open(key: string): Promise<LoadedNote | 'gone' | 'unreadable'> {
    const { backend, places } = this.#context
    const at = places.at(key)
    try {
      const { revision } = await backend.info(at)
      return { key, text: await backend.read(at), revision }
    } catch (error) {
      if (isSeamError(error, 'NOT_FOUND')) return 'gone'
      if (isUnreadable(error)) return 'unreadable'
      throw error
    }
  }
}

// A store may hand out what it handed out before; then it is read once, and sorted once.
const read = new WeakMap<RecallEntry, IndexedNote>()
const readWhole = new WeakMap<readonly RecallEntry[], ReadonlyMap<string, IndexedNote>>()
const sorted = new WeakMap<ReadonlyMap<string, IndexedNote>, Map<string, ReadonlyMap<string, IndexedNote>>>()

function notesOf(entries: readonly RecallEntry[]): ReadonlyMap<string, IndexedNote> {
  const known = readWhole.get(entries)
  if (known !== undefined) return known
  const notes = byKey(entries.flatMap((entry) => noteOf(entry) ?? []))
  readWhole.set(entries, notes)
  return notes
}

function noteOf(entry: RecallEntry): IndexedNote | undefined {
  const known = read.get(entry)
  if (known !== undefined) return known
  const note = indexedNote(entry.source, entry.partition, entry.data)
  if (note !== undefined) read.set(entry, note)
  return note
}

function byKey<T extends { readonly key: string }>(notes: readonly T[]): Map<string, T> {
  return new Map(notes.map((note) => [note.key, note]))
}

function within(
  known: ReadonlyMap<string, IndexedNote>,
  partitions: readonly string[] | undefined,
): ReadonlyMap<string, IndexedNote> {
  if (partitions === undefined) return known
  const name = JSON.stringify(partitions)
  const before = sorted.get(known)?.get(name)
  if (before !== undefined) return before
  const found = byKey([...known.values()].filter(({ partition }) => partitions.includes(partition)))
  sorted.set(known, new Map([...(sorted.get(known) ?? []), [name, found]]))
  return found
}

/** Whether the index has to be told, if only of a new revision. */
function isNews(note: LoadedNote, known: IndexedNote | undefined): boolean {
  return isEdited(note, known) || known?.revision !== note.revision
}

function isEdited({ text }: LoadedNote, known: IndexedNote | undefined): boolean {
  return known?.hash !== contentHash(text)
}

/** Only a whole walk tells what is gone, and only of where it went. */
function removedFrom(
  known: ReadonlyMap<string, IndexedNote>,
  { found, complete, unreadable }: NoteScan,
  partitions: readonly string[] | undefined,
): readonly string[] {
  if (!complete) return []
  const isHidden = (key: string) => unreadable.some((directory) => key.startsWith(`${directory}/`))
  const absent = comparedOf(found, known).absent.filter((key) => !isHidden(key))
  return absent.filter((key) => partitions?.includes(placeOf(key).partition) ?? true)
}

interface Compared {
  readonly known: ReadonlyMap<string, IndexedNote>
  /** There, and not surely as the index knows them. */
  readonly suspects: readonly string[]
  /** Known, and not found. */
  readonly absent: readonly string[]
}

// A walk that found the very same as the one before hands out the same map, and so may the index.
const compared = new WeakMap<NoteScan['found'], Compared>()

function comparedOf(found: NoteScan['found'], known: ReadonlyMap<string, IndexedNote>): Compared {
  const before = compared.get(found)
  if (before?.known === known) return before
  const suspects: string[] = []
  for (const [key, revision] of found)
    if (revision === undefined || known.get(key)?.revision !== revision) suspects.push(key)
  const absent: string[] = []
  for (const key of known.keys()) if (!found.has(key)) absent.push(key)
  const now = { known, suspects, absent }
  compared.set(found, now)
  return now
}
