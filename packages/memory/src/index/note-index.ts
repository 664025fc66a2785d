/**
 * The notes of one store in a recall store: derived, rebuildable, and never the last word. What the walk finds changed is
 * opened and hashed; an index that is behind is put right by the next writer, and seen through by every reader.
 */
import type { RecallEntry } from '@agentm/nodes'
import { contentHash, isSeamError } from '@agentm/storage-seam'
import { isUnreadable } from '../notes/is-unreadable.ts'
import type { MemoryContext } from '../memory-context.ts'
import type { LoadedNote } from './pure/index-items.ts'
import { type IndexedNote, indexedNote } from './pure/indexed-note.ts'
import { isNoteId, itemPrefix, noteConceptOf, noteId, stretchConceptOf } from '../notes/pure/note-id.ts'
import { globalPartition, placeOf, projectOf } from '../notes/pure/note-place.ts'
import { parsedNote } from '../notes/parsed-note.ts'
import { type NoteScan, scanNotes, type ScanOptions } from './scan-notes.ts'
import { checkStoreMarker } from '../notes/check-store-marker.ts'

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
  /** Directories in homes of projects that are no projects of ours: their notes belong to no project. */
  readonly foreign: ReadonlySet<string>
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

  /** The note behind an id; nothing for one that was never indexed. */
  async noteOf(id: string): Promise<IndexedNote | undefined> {
    const [head] = isNoteId(id) ? await this.#itemsOf(id) : []
    return head === undefined ? undefined : indexedNote(head.source, head.partition, head.data)
  }

  /** Compares, and changes nothing. Refuses where the store's marker is not there: an unmounted drive looks empty. */
  async drift(options: ScanOptions & { readonly most?: number } = {}): Promise<IndexDrift> {
    const { scan, known, suspects, ...compared } = await this.#compare(options)
    const { loaded, unreadable } = await this.#load(suspects.slice(0, options.most))
    const foreign = await withoutOwn(compared.foreign, loaded)
    const changed = loaded.filter((note) => isNews(note, known.get(note.key), foreign))
    const removed = removedFrom({ known, scan, foreign }, options.partitions)
    const isWhole = scan.complete && suspects.length <= (options.most ?? Infinity)
    return {
      indexed: within(known, options.partitions),
      changed: byKey(changed),
      edited: changed.filter((note) => isEdited(note, known.get(note.key))).length + removed.length,
      removed,
      unreadable: [...scan.unreadable, ...scan.tooLarge, ...unreadable],
      foreign,
      scan: { ...scan, complete: isWhole },
    }
  }

  /** Brings the index up to the store. Answers how much was different, and the index as it is now. */
  async follow(options: ScanOptions & { readonly onProgress?: Progress } = {}): Promise<IndexDrift> {
    const { scan, known, foreign, suspects } = await this.#compare(options)
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
    const removed = removedFrom({ known, scan, foreign }, options.partitions)
    await this.drop(removed)
    const now = news + removed.length === 0 ? { known, foreign } : await this.#settle(scan)
    const indexed = within(now.known, options.partitions)
    const change = { changed: new Map<string, LoadedNote>(), edited: edited + removed.length, removed: [] }
    return { ...change, indexed, unreadable, foreign: now.foreign, scan }
  }

  /** What was read last may have shown that a directory is a project of ours, and what was read before it is filed elsewhere. */
  async #settle(scan: NoteScan): Promise<Pick<Compared, 'known' | 'foreign'>> {
    const { known, foreign, misplaced } = comparedOf(scan, await this.indexed())
    if (misplaced.length === 0) return { known, foreign }
    for (let i = 0; i < misplaced.length; i += batch) {
      const { loaded } = await this.#load(misplaced.slice(i, i + batch))
      await Promise.all(loaded.map(async (note) => this.put(note, foreign)))
    }
    return { known: await this.indexed(), foreign }
  }

  /** Indexes the note as it is now; drops it where it is gone. */
  async refresh(key: string): Promise<void> {
    const { loaded } = await this.#load([key])
    const [note] = loaded
    if (note !== undefined) await this.put(note)
    else if (!(await this.#context.backend.exists(this.#context.places.at(key)))) await this.drop([key])
  }

  /** Without `foreign` it stays with the project, or with none, as it is indexed. */
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
    return { scan, ...comparedOf(scan, known) }
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
  const notes = [...known.values()]
  const wanted = notes.filter(({ partition }) => partitions.includes(partition))
  const found = wanted.length === notes.length ? known : byKey(wanted)
  sorted.set(known, new Map([...(sorted.get(known) ?? []), [name, found]]))
  return found
}

/** Whether the index has to be told, if only of a new revision, or of whose note it is. */
function isNews(note: LoadedNote, known: IndexedNote | undefined, foreign: ReadonlySet<string>): boolean {
  return known === undefined || isEdited(note, known) || known.revision !== note.revision || isMisplaced(known, foreign)
}

/** Whether a note in a home of projects is indexed as somebody else's than it is. */
function isMisplaced({ key, partition, isOwn }: IndexedNote, foreign: ReadonlySet<string>): boolean {
  const project = projectOf(key)
  if (project === undefined) return false
  return (isOwn || !foreign.has(project.group) ? project.slug : globalPartition) !== partition
}

/** Where an entry of ours lies, there is a project of ours. */
async function withoutOwn(foreign: ReadonlySet<string>, loaded: readonly LoadedNote[]): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  for (const { key, text } of loaded) {
    const group = projectOf(key)?.group
    if (group !== undefined && foreign.has(group) && (await parsedNote(text, key)).isOwn) own.add(group)
  }
  return own.size === 0 ? foreign : new Set([...foreign].filter((group) => !own.has(group)))
}

/** As the index has it: a note that is filed apart from the project it lies in lies in no project of ours. */
function foreignAround(known: IndexedNote | undefined): ReadonlySet<string> | undefined {
  const project = known === undefined ? undefined : projectOf(known.key)
  return project === undefined || project.slug === known?.partition ? undefined : new Set([project.group])
}

function isEdited({ text }: LoadedNote, known: IndexedNote | undefined): boolean {
  return known?.hash !== contentHash(text)
}

/** Only a whole walk tells what is gone, and only of where it went. */
function removedFrom(
  { known, scan, foreign }: Pick<Compared, 'known' | 'foreign'> & { readonly scan: NoteScan },
  partitions: readonly string[] | undefined,
): readonly string[] {
  if (!scan.complete) return []
  const isHidden = (key: string) => scan.unreadable.some((directory) => key.startsWith(`${directory}/`))
  const absent = comparedOf(scan, known).absent.filter((key) => !isHidden(key))
  if (partitions === undefined) return absent
  const wasWalked = (key: string) =>
    [known.get(key)?.partition, placeOf(key, foreign).partition].some((each) => partitions.includes(each ?? ''))
  return absent.filter(wasWalked)
}

interface Compared {
  readonly known: ReadonlyMap<string, IndexedNote>
  readonly foreign: ReadonlySet<string>
  /** Indexed as somebody else's than they are; all of them are suspects. */
  readonly misplaced: readonly string[]
  /** There, and not surely as the index knows them. */
  readonly suspects: readonly string[]
  /** Known, and not found. */
  readonly absent: readonly string[]
}

// A walk that found the very same as the one before hands out the same map, and so may the index.
const compared = new WeakMap<NoteScan['found'], Compared>()

function comparedOf(scan: NoteScan, known: ReadonlyMap<string, IndexedNote>): Compared {
  const { found } = scan
  const before = compared.get(found)
  if (before?.known === known) return before
  const foreign = foreignBeside(scan.foreign, known)
  const suspects: string[] = []
  const misplaced: string[] = []
  for (const [key, revision] of found) {
    const note = known.get(key)
    const isElsewhere = note !== undefined && isMisplaced(note, foreign)
    if (isElsewhere) misplaced.push(key)
    if (isElsewhere || revision === undefined || note?.revision !== revision) suspects.push(key)
  }
  const absent: string[] = []
  for (const key of known.keys()) if (!found.has(key)) absent.push(key)
  const now = { known, foreign, misplaced, suspects, absent }
  compared.set(found, now)
  return now
}

/** Without the directories in which an entry of ours is indexed. */
function foreignBeside(foreign: ReadonlySet<string>, known: ReadonlyMap<string, IndexedNote>): ReadonlySet<string> {
  if (foreign.size === 0) return foreign
  const own = new Set<string>()
  for (const { key, isOwn } of known.values()) if (isOwn) own.add(projectOf(key)?.group ?? '')
  return new Set([...foreign].filter((group) => !own.has(group)))
}
