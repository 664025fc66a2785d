/**
 * The notes of one store in a recall store: derived, rebuildable, and never the last word. What the walk finds changed is
 * opened and hashed; an index that is behind is put right by the next writer, and seen through by every reader.
 */
import type { RecallEntry } from '@agentm/nodes'
import { contentHash, isSeamError } from '@agentm/storage-seam'
import type { MemoryContext } from './memory-context.ts'
import { headId, type IndexedNote, indexedNote, indexItems, type LoadedNote } from './pure/index-items.ts'
import { isNoteId, noteConceptOf, noteId } from './pure/note-id.ts'
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

export class NoteIndex {
  readonly #context: MemoryContext

  constructor(context: MemoryContext) {
    this.#context = context
  }

  /** By key. */
  async indexed(partitions?: readonly string[]): Promise<Map<string, IndexedNote>> {
    const { recall, owner, storeId } = this.#context
    const entries = await recall.entries({ owner, concept: noteConceptOf(storeId) })
    const notes = entries.flatMap(({ source, partition, data }) => indexedNote(source, partition, data) ?? [])
    const wanted = partitions === undefined ? notes : notes.filter(({ partition }) => partitions.includes(partition))
    return new Map(wanted.map((note) => [note.key, note]))
  }

  /** The key behind an id; nothing for a note that was never indexed. */
  async keyOf(id: string): Promise<string | undefined> {
    if (!isNoteId(id)) return undefined
    const { recall, owner, storeId } = this.#context
    const [entry] = await recall.entries({ owner, concept: noteConceptOf(storeId), after: id, limit: 1 })
    return entry?.id === headId(id) ? indexedNote(entry.source, entry.partition, entry.data)?.key : undefined
  }

  /** Compares, and changes nothing. Refuses where the store's marker is not there: an unmounted drive looks empty. */
  async drift(options: ScanOptions & { readonly most?: number } = {}): Promise<IndexDrift> {
    const { backend, storeId } = this.#context
    await checkStoreMarker(backend, storeId)
    const [scan, indexed] = await Promise.all([scanNotes(this.#context, options), this.indexed(options.partitions)])
    const suspects = [...scan.found].filter(
      ([key, revision]) => revision === undefined || indexed.get(key)?.revision !== revision,
    )
    const { loaded, unreadable } = await this.#load(suspects.slice(0, options.most).map(([key]) => key))
    const changed = loaded.filter(({ key, text, revision }) => {
      const known = indexed.get(key)
      return known?.hash !== contentHash(text) || known.revision !== revision
    })
    const edited = changed.filter(({ key, text }) => indexed.get(key)?.hash !== contentHash(text)).length
    const removed = scan.complete ? [...indexed.keys()].filter((key) => !scan.found.has(key)) : []
    const isWhole = scan.complete && suspects.length <= (options.most ?? Infinity)
    return {
      indexed,
      changed: new Map(changed.map((each) => [each.key, each])),
      edited: edited + removed.length,
      removed,
      unreadable,
      scan: { ...scan, complete: isWhole },
    }
  }

  /** Brings the index up to the store. Answers what was different, beside the index as it is now. */
  async follow(options: ScanOptions & { readonly onProgress?: Progress } = {}): Promise<IndexDrift> {
    const drift = await this.drift(options)
    const changed = [...drift.changed.values()]
    for (let i = 0; i < changed.length; i += batch) {
      await Promise.all(changed.slice(i, i + batch).map(async (loaded) => this.put(loaded)))
      options.onProgress?.(Math.min(i + batch, changed.length), changed.length)
    }
    await this.drop(drift.removed)
    const isSame = changed.length + drift.removed.length === 0
    return isSame ? drift : { ...drift, indexed: await this.indexed(options.partitions) }
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
    const before = await this.#entriesOf(id)
    const known = before.flatMap(({ source, partition, data }) => indexedNote(source, partition, data) ?? [])[0]
    const seenAt = known?.hash === contentHash(loaded.text) ? known.seenAt : runtime.now()
    const items = indexItems(storeId, loaded, seenAt)
    await recall.put(items, { owner, replace: id })
    const kept = new Set(items.map(({ data }) => data?.['textHash']))
    const gone = before.map(({ data }) => String(data['textHash'])).filter((hash) => !kept.has(hash))
    if (gone.length > 0) await embedder?.forget?.(gone)
  }

  async drop(keys: readonly string[], { erase = false }: { readonly erase?: boolean } = {}): Promise<void> {
    const { recall, owner, storeId, embedder } = this.#context
    for (const key of keys) {
      const id = noteId(storeId, key)
      const gone = (await this.#entriesOf(id)).map(({ data }) => String(data['textHash']))
      await recall.remove({ source: id }, { owner, erase })
      if (gone.length > 0) await embedder?.forget?.(gone)
    }
  }

  async #entriesOf(id: string): Promise<readonly RecallEntry[]> {
    const { recall, owner, storeId } = this.#context
    const found: RecallEntry[] = []
    const concept = noteConceptOf(storeId)
    for (let after = `${id}/`; ; after = found.at(-1)?.id ?? '') {
      const page = await recall.entries({ owner, concept, after, limit: batch })
      const own = page.filter(({ source }) => source === id)
      found.push(...own)
      if (own.length < batch) return found
    }
  }

  /** Everything of this store. */
  async clear(): Promise<void> {
    const { recall, owner, storeId } = this.#context
    const entries = await recall.entries({ owner, concept: noteConceptOf(storeId) })
    for (const source of new Set(entries.map((entry) => entry.source))) await recall.remove({ source }, { owner })
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
      if (['CORRUPT_TEXT', 'ONLINE_ONLY', 'NOT_A_FILE', 'OUTSIDE_STORE'].some((code) => hasCode(error, code)))
        return 'unreadable'
      throw error
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
