/**
 * The notes of one store, indexed in a recall store. The index is derived and can be rebuilt. Notes that a walk finds changed are
 * opened and hashed. The next writer updates an outdated index; readers use the changed notes directly.
 */
import type { RecallEntry } from '@agentm/nodes'
import { contentHash, isSeamError } from '@agentm/storage-seam'
import { isUnreadable } from '../notes/is-unreadable.ts'
import type { MemoryContext } from '../memory-context.ts'
import { type ComparedNotes, isMisplaced } from './compare-notes.ts'
import { keepMarks } from './directory-marks.ts'
import type { IndexedNotes } from './indexed-notes.ts'
import type { LoadedNote } from './pure/index-items.ts'
import { type IndexedNote, indexedNote } from './pure/indexed-note.ts'
import { isNoteId, itemPrefix, noteConceptOf, noteId, stretchConceptOf } from '../notes/pure/note-id.ts'
import { placeOf, projectOf } from '../notes/pure/note-place.ts'
import { parsedNote } from '../notes/parsed-note.ts'
import { type NoteScan, scanNotes, type ScanOptions } from './scan-notes.ts'
import { checkStoreMarker } from '../notes/check-store-marker.ts'

/** How the index and the store differ. */
export interface IndexDrift {
  readonly indexed: IndexedNotes
  readonly changed: ReadonlyMap<string, LoadedNote>
  /** How many notes differ from the index or no longer exist. */
  readonly edited: number
  /** Keys of indexed notes that no longer exist. */
  readonly removed: readonly string[]
  /** Keys of notes that exist but cannot be read now. */
  readonly unreadable: readonly string[]
  /** Directories among the projects that are no agentm projects. Their notes belong to no project. */
  readonly foreign: ReadonlySet<string>
  readonly scan: NoteScan
}

export type Progress = (done: number, total: number) => void

// A larger batch would hold all texts of a large store in memory.
const batch = 64
const pageSize = 1000

export class NoteIndex {
  readonly #context: MemoryContext

  constructor(context: MemoryContext) {
    this.#context = context
  }

  /** The indexed notes, by key. */
  async indexed(partitions?: readonly string[]): Promise<IndexedNotes> {
    const { recall, owner, storeId, corpus } = this.#context
    return corpus.indexed(await recall.entries({ owner, concept: noteConceptOf(storeId) })).within(partitions)
  }

  /** The note with this id; `undefined` if it was never indexed. */
  async noteOf(id: string): Promise<IndexedNote | undefined> {
    const [head] = isNoteId(id) ? await this.#itemsOf(id) : []
    return head === undefined ? undefined : indexedNote(head.source, head.partition, head.data)
  }

  /** Compares without changing anything. Throws if the store's marker is absent, because an unmounted drive looks empty. */
  async drift(options: ScanOptions & { readonly most?: number } = {}): Promise<IndexDrift> {
    const compared = await this.#compare(options)
    const { scan, indexed, suspects } = compared
    const { loaded, unreadable } = await this.#load(suspects.slice(0, options.most))
    const foreign = await withoutOwn(compared.foreign, loaded)
    const changed = loaded.filter((note) => isNews(note, indexed.get(note.key), foreign))
    const removed = removedFrom({ ...compared, foreign }, options.partitions)
    const isWhole = scan.complete && suspects.length <= (options.most ?? Infinity)
    return {
      indexed: indexed.within(options.partitions),
      changed: new Map(changed.map((note) => [note.key, note])),
      edited: changed.filter((note) => isEdited(note, indexed.get(note.key))).length + removed.length,
      removed,
      unreadable: [...scan.unreadable, ...scan.tooLarge, ...unreadable],
      foreign,
      scan: { ...scan, complete: isWhole },
    }
  }

  /** Updates the index to the store. Returns the number of differences, and the updated index. */
  async follow(options: ScanOptions & { readonly onProgress?: Progress } = {}): Promise<IndexDrift> {
    const compared = await this.#compare(options)
    const { scan, indexed: known, foreign, suspects } = compared
    const unreadable = [...scan.unreadable, ...scan.tooLarge]
    let [news, edited] = [0, 0]
    for (let i = 0; i < suspects.length; i += batch) {
      const some = await this.#load(suspects.slice(i, i + batch))
      unreadable.push(...some.unreadable)
      const changed = some.loaded.filter((note) => isNews(note, known.get(note.key), foreign))
      await Promise.all(changed.map(async (note) => this.put(note, foreign)))
      news += changed.length
      edited += changed.filter((note) => isEdited(note, known.get(note.key))).length
      options.onProgress?.(Math.min(i + batch, suspects.length), suspects.length)
    }
    const removed = removedFrom(compared, options.partitions)
    await this.drop(removed)
    if (scan.complete && unreadable.length === 0) await keepMarks(this.#context, scan.directories, options.partitions)
    const now = news + removed.length === 0 ? compared : await this.#settle(scan)
    const change = { changed: new Map<string, LoadedNote>(), edited: edited + removed.length, removed: [] }
    return { ...change, indexed: now.indexed.within(options.partitions), unreadable, foreign: now.foreign, scan }
  }

  /** The notes read last may show that a directory is an agentm project. Notes of it that were read earlier are then filed again. */
  async #settle(scan: NoteScan): Promise<Pick<ComparedNotes, 'indexed' | 'foreign'>> {
    const { indexed, foreign, misplaced } = this.#context.corpus.compared(scan, await this.indexed())
    if (misplaced.length === 0) return { indexed, foreign }
    for (let i = 0; i < misplaced.length; i += batch) {
      const { loaded } = await this.#load(misplaced.slice(i, i + batch))
      await Promise.all(loaded.map(async (note) => this.put(note, foreign)))
    }
    return { indexed: await this.indexed(), foreign }
  }

  /** Indexes the present text of a note, or removes the note from the index if it is absent. */
  async refresh(key: string): Promise<void> {
    const { loaded } = await this.#load([key])
    const [note] = loaded
    if (note !== undefined) await this.put(note)
    else if (!(await this.#context.backend.exists(this.#context.places.at(key)))) await this.drop([key])
  }

  /** Without `foreign`, the note stays in the project that it is indexed under, if any. */
  async put(loaded: LoadedNote, foreign?: ReadonlySet<string>): Promise<void> {
    const { recall, owner, storeId, runtime, embedder } = this.#context
    const id = noteId(storeId, loaded.key)
    const before = await this.#itemsOf(id)
    const known = before.flatMap(({ source, partition, data }) => indexedNote(source, partition, data) ?? [])[0]
    const seenAt = known?.hash === contentHash(loaded.text) ? known.seenAt : runtime.now()
    const { indexItems } = await import('./pure/index-items.ts')
    const items = indexItems(this.#context, loaded, { seenAt, foreign: foreign ?? foreignAround(known) })
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

  /** Removes all entries of this store. Vectors stay cached, because the same text needs them again. */
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

  /** Reads page by page, because a store caches whole answers and this one is needed only once. */
  async #sourcesOf(concept: string): Promise<readonly string[]> {
    const { recall, owner } = this.#context
    const found: string[] = []
    for (let after = ''; ;) {
      const { entries: page } = await recall.entries({ owner, concept, after, limit: pageSize })
      found.push(...page.map(({ source }) => source))
      after = page.at(-1)?.id ?? ''
      if (page.length < pageSize) return found
    }
  }

  /** The first item of a note, then its parts. */
  async #itemsOf(id: string): Promise<readonly RecallEntry[]> {
    const { recall, owner } = this.#context
    const found: RecallEntry[] = []
    for (let after = itemPrefix(id, owner); ; after = found.at(-1)?.id ?? '') {
      const { entries: page } = await recall.entries({ owner, after, limit: batch })
      const own = page.filter(({ source }) => source === id)
      found.push(...own)
      if (own.length < batch) return found
    }
  }

  /** Compares the found notes with the indexed ones. Throws if the store's marker is absent. */
  async #compare(options: ScanOptions): Promise<ComparedNotes> {
    const { backend, storeId, corpus } = this.#context
    await checkStoreMarker(backend, storeId)
    const [scan, indexed] = await Promise.all([scanNotes(this.#context, options), this.indexed()])
    return corpus.compared(scan, indexed)
  }

  /** Opens notes. The revision is read first, so that a change in between is noticed at the next look. */
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

/** Whether the index needs an update, even if only the revision or the project of the note changed. */
function isNews(note: LoadedNote, known: IndexedNote | undefined, foreign: ReadonlySet<string>): boolean {
  return known === undefined || isEdited(note, known) || known.revision !== note.revision || isMisplaced(known, foreign)
}

/** A directory with an entry of agentm is an agentm project. */
async function withoutOwn(foreign: ReadonlySet<string>, loaded: readonly LoadedNote[]): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  for (const { key, text } of loaded) {
    const group = projectOf(key)?.group
    if (group !== undefined && foreign.has(group) && (await parsedNote(text, key)).isOwn) own.add(group)
  }
  return own.size === 0 ? foreign : new Set([...foreign].filter((group) => !own.has(group)))
}

/** Follows the index: if a note is indexed apart from the project whose directory it is in, that directory is no agentm project. */
function foreignAround(known: IndexedNote | undefined): ReadonlySet<string> | undefined {
  const project = known === undefined ? undefined : projectOf(known.key)
  return project === undefined || project.slug === known?.partition ? undefined : new Set([project.group])
}

function isEdited({ text }: LoadedNote, known: IndexedNote | undefined): boolean {
  return known?.hash !== contentHash(text)
}

/** Only a complete walk shows which notes are absent, and only for the directories that it read. */
function removedFrom(
  { scan, indexed, foreign, ...compared }: ComparedNotes,
  partitions: readonly string[] | undefined,
): readonly string[] {
  if (!scan.complete) return []
  const isHidden = (key: string) => scan.unreadable.some((directory) => key.startsWith(`${directory}/`))
  const absent = compared.absent.filter((key) => !isHidden(key))
  if (partitions === undefined) return absent
  const wasWalked = (key: string) =>
    [indexed.get(key)?.partition, placeOf(key, foreign).partition].some((each) => partitions.includes(each ?? ''))
  return absent.filter(wasWalked)
}
