/**
 * The notes of one store and their index. The index is derived and can be rebuilt. Notes that a walk finds changed are opened and hashed.
 * A writer updates an outdated index; a reader lays the changed notes over it.
 */
import { contentHash, isSeamError } from '@agentm/storage-seam'
import { isUnreadable } from '../notes/is-unreadable.ts'
import type { MemoryContext } from '../memory-context.ts'
import { type ComparedNotes, isMisplaced } from './compare-notes.ts'
import { keepMarks, readMarks } from './directory-marks.ts'
import { keepPrintsIfPossible } from './directory-prints.ts'
import { analyzedFile } from './analyzed-file.ts'
import type { AnalyzedFile, IndexedAs, IndexedNote, LoadedNote } from './pure/indexed-note.ts'
import { noteId } from '../notes/pure/note-id.ts'
import { placeOf, projectOf } from '../notes/pure/note-place.ts'
import { noOverlay, type NoteView, type Overlay, overlayOf } from './note-view.ts'
import { parsedNote } from '../notes/parsed-note.ts'
import { type NoteScan, scanNotes, type ScanOptions } from './scan-notes.ts'
import { splitHashes } from './note-change.ts'
import { checkStoreMarker } from '../notes/check-store-marker.ts'

/** How the index and the store differ. */
export interface IndexDrift {
  /** Notes that are newer than the index. Some may have the same text as before. */
  readonly changed: ReadonlyMap<string, LoadedNote>
  /** Keys of the changed notes whose text differs from the index. */
  readonly edited: readonly string[]
  /** How many notes differ from the index or no longer exist. */
  readonly differences: number
  /** Keys of notes that exist but cannot be read now. */
  readonly unreadable: readonly string[]
  /** Directories among the projects that are no agentm projects. Their notes belong to no project. */
  readonly foreign: ReadonlySet<string>
  readonly scan: NoteScan
  /** How many notes there was no time to index. */
  readonly unindexed: number
  /** The edited notes and the removed ones, to be laid over the index. */
  readonly overlay: Overlay
}

export type Progress = (done: number, total: number) => void

// A larger batch would hold all texts of a large store in memory.
const batch = 512
const readAtOnce = 64

export class NoteIndex {
  readonly #context: MemoryContext

  constructor(context: MemoryContext) {
    this.#context = context
  }

  /** Calls `look` on one state of the index. */
  read<T>(look: (view: NoteView) => T, overlay?: Overlay): T {
    return this.#context.corpus.notes.read(look, overlay)
  }

  /** What the index knows of the note with this key. */
  factsOf(key: string): IndexedNote | undefined {
    return this.noteOf(noteId(this.#context.storeId, key))
  }

  /** The note with this id; `undefined` if it was never indexed. */
  noteOf(id: string): IndexedNote | undefined {
    return this.read((view) => {
      const place = view.find(id)
      return place === undefined ? undefined : view.facts(place)
    })
  }

  /** Compares without changing anything. Throws if the store's marker is absent, because an unmounted drive looks empty. */
  async drift(options: ScanOptions & { readonly most?: number } = {}): Promise<IndexDrift> {
    const compared = await this.#compare(options)
    const { scan, suspects } = compared
    const isCurrent = suspects.length + removedFrom(compared, options.partitions).length === 0
    // Whoever only looks leaves no traces where no writer was before.
    if (isCurrent && scan.prints !== undefined && (await readMarks(this.#context)) !== undefined)
      await this.#keepPrints(compared)
    const { loaded, unreadable } = await this.#load(suspects.slice(0, options.most))
    const foreign = await withoutOwn(compared.foreign, loaded)
    const removed = removedFrom({ ...compared, foreign }, options.partitions)
    const isWhole = scan.complete && suspects.length <= (options.most ?? Infinity)
    // Until a writer has indexed them, each look meets the same notes again.
    const { changed, edited, files } = await this.#sorted(loaded, foreign, async (note, as, hash) =>
      this.#context.corpus.texts.file(note, hash, as),
    )
    const ids = removed.map((key) => noteId(this.#context.storeId, key))
    return {
      changed,
      edited,
      differences: edited.length + removed.length,
      unreadable: [...scan.unreadable, ...scan.tooLarge, ...unreadable],
      foreign,
      scan: { ...scan, complete: isWhole },
      unindexed: 0,
      overlay: overlayOf(files, ids),
    }
  }

  /** Updates the index to the store. If `enough` ends it early, the next call indexes the remaining notes. */
  async follow(options: ScanOptions & { readonly onProgress?: Progress } = {}): Promise<IndexDrift> {
    const compared = await this.#compare(options)
    const { scan, foreign, suspects } = compared
    const unreadable = [...scan.unreadable, ...scan.tooLarge]
    let [edited, done] = [0, 0]
    while (done < suspects.length && !(done > 0 && options.enough?.() === true)) {
      const some = await this.#load(suspects.slice(done, done + batch))
      done = Math.min(done + batch, suspects.length)
      unreadable.push(...some.unreadable)
      const news = await this.#sorted(some.loaded, foreign)
      edited += news.edited.length
      if (news.all.length > 0) await this.#put(news.all, { areMany: done < suspects.length })
      options.onProgress?.(done, suspects.length)
    }
    const removed = removedFrom(compared, options.partitions)
    if (removed.length > 0) await this.drop(removed)
    const isWhole = scan.complete && done >= suspects.length && unreadable.length === 0
    if (isWhole) await keepMarks(this.#context, scan, options.partitions)
    const now = done + removed.length === 0 ? compared : await this.#settle(scan)
    if (isWhole) await this.#keepPrints(this.#context.corpus.compared(scan))
    return {
      changed: new Map(),
      edited: [],
      differences: edited + removed.length,
      unreadable,
      foreign: now.foreign,
      scan: done < suspects.length ? { ...scan, complete: false } : scan,
      unindexed: suspects.length - done,
      overlay: noOverlay,
    }
  }

  /** So that the next process need not compare what is the same. */
  async #keepPrints(compared: ComparedNow): Promise<void> {
    const { scan, suspects, state } = compared
    const { prints, scope, isAsIndexed } = scan
    if (prints === undefined || isAsIndexed || suspects.length > 0) return
    if (this.#context.corpus.isNews(compared))
      await keepPrintsIfPossible(this.#context, { index: state.revision, scope, directories: prints })
  }

  /** The notes read last may show that a directory is an agentm project. Notes of it that were read earlier are then filed again. */
  async #settle(scan: NoteScan): Promise<Pick<ComparedNotes, 'foreign'>> {
    const { foreign, misplaced } = this.#context.corpus.compared(scan)
    for (let i = 0; i < misplaced.length; i += batch) {
      const { loaded } = await this.#load(misplaced.slice(i, i + batch))
      await this.#put((await this.#sorted(loaded, foreign)).all)
    }
    return { foreign }
  }

  /** Indexes the present text of a note, or removes the note from the index if it is absent. */
  async refresh(key: string): Promise<void> {
    const { loaded } = await this.#load([key])
    const [note] = loaded
    if (note !== undefined) await this.#put((await this.#sorted([note], this.#foreignAround(key))).all)
    else if (!(await this.#context.backend.exists(this.#context.places.at(key)))) await this.drop([key])
  }

  async drop(keys: readonly string[], options: { readonly erase?: boolean } = {}): Promise<void> {
    const ids = keys.map((key) => noteId(this.#context.storeId, key))
    if (options.erase === true) await this.#context.embedder?.forget?.(ids.flatMap((id) => this.#hashesOf(id)))
    await this.#context.corpus.notes.remove(ids, options)
  }

  /** Removes all entries of this store. Cached vectors stay, because the same texts need them again. */
  async clear(): Promise<void> {
    await this.#context.corpus.notes.clear()
  }

  #hashesOf(id: string): readonly string[] {
    return this.read((view) => {
      const place = view.find(id)
      return place === undefined ? [] : splitHashes(view.rows.get('stretches', view.numberAt(place)))
    })
  }

  /** The read notes that differ from the index, and those among them whose text does. */
  async #sorted(
    loaded: readonly LoadedNote[],
    foreign: ReadonlySet<string>,
    analyzed: Analyzed = analyzedFile,
  ): Promise<SortedNotes> {
    const { storeId, runtime } = this.#context
    const sorted: SortedNotes = { changed: new Map(), edited: [], files: [], all: [] }
    const before = this.read(() => loaded.map(({ key }) => this.factsOf(key)))
    for (const [i, note] of loaded.entries()) {
      const known = before[i]
      const hash = contentHash(note.text)
      const isSame = known?.hash === hash
      if (isSame && known.revision === note.revision && !isMisplaced(known.key, known, foreign)) continue
      const seenAt = isSame ? known.seenAt : runtime.now()
      const file = await analyzed(note, { storeId, seenAt, foreign }, hash)
      sorted.changed.set(note.key, note)
      sorted.all.push(file)
      if (!isSame) {
        sorted.edited.push(note.key)
        sorted.files.push(file)
      }
    }
    return sorted
  }

  /** Follows the index: if a note is indexed apart from the project whose directory it is in, that directory is no agentm project. */
  #foreignAround(key: string): ReadonlySet<string> {
    const known = this.factsOf(key)
    const project = projectOf(key)
    return project === undefined || known === undefined || project.slug === known.partition
      ? new Set()
      : new Set([project.group])
  }

  /** Compares the found notes with the indexed ones. Throws if the store's marker is absent. */
  async #compare(options: ScanOptions): Promise<ComparedNow> {
    const { backend, storeId } = this.#context
    await checkStoreMarker(backend, storeId)
    const scan = await scanNotes(this.#context, options)
    return this.#context.corpus.compared(scan)
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
    for (let i = 0; i < keys.length; i += readAtOnce) await Promise.all(keys.slice(i, i + readAtOnce).map(load))
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

  /** Writes notes into the index, and lets the embedder forget the texts that they no longer contain. */
  async #put(files: readonly AnalyzedFile[], options: { readonly areMany?: boolean } = {}): Promise<void> {
    const { embedder, corpus } = this.#context
    const before = embedder?.forget === undefined ? [] : files.flatMap(({ note }) => this.#hashesOf(note.id))
    await corpus.notes.put(files, options)
    if (before.length === 0) return
    const kept = new Set(files.flatMap(({ stretches }) => stretches.map((text) => contentHash(text.toWellFormed()))))
    const gone = before.filter((hash) => !kept.has(hash))
    if (gone.length > 0) await embedder?.forget?.(gone)
  }
}

type Analyzed = (note: LoadedNote, as: IndexedAs, hash: string) => Promise<AnalyzedFile>

/** A comparison, with the state of the index that was compared. */
type ComparedNow = ReturnType<MemoryContext['corpus']['compared']>

/** A directory with an entry of agentm is an agentm project. */
async function withoutOwn(foreign: ReadonlySet<string>, loaded: readonly LoadedNote[]): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  for (const { key, text } of loaded) {
    const group = projectOf(key)?.group
    if (group !== undefined && foreign.has(group) && (await parsedNote(text, key)).isOwn) own.add(group)
  }
  return own.size === 0 ? foreign : new Set([...foreign].filter((group) => !own.has(group)))
}

/** Only a complete walk shows which notes are absent, and only for the directories that it read. */
function removedFrom(
  { scan, absent, foreign }: ComparedNotes,
  partitions: readonly string[] | undefined,
): readonly string[] {
  if (!scan.complete) return []
  const isHidden = (key: string) => scan.unreadable.some((directory) => key.startsWith(`${directory}/`))
  const wasWalked = (key: string, partition: string) =>
    partitions === undefined || [partition, placeOf(key, foreign).partition].some((each) => partitions.includes(each))
  return [...absent].flatMap(([key, partition]) => (isHidden(key) || !wasWalked(key, partition) ? [] : [key]))
}

interface SortedNotes {
  readonly changed: Map<string, LoadedNote>
  readonly edited: string[]
  readonly files: AnalyzedFile[]
  /** The files of all changed notes, also of those with the same text as before. */
  readonly all: AnalyzedFile[]
}
