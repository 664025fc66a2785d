/** The notes of an index at one revision, and the data that recall computes from them. Made once for each revision. */
import { LexicalIndex, type SharedTerms } from './pure/lexical-index.ts'
import type { IndexedNote } from './pure/indexed-note.ts'

export class IndexedNotes {
  readonly byKey: ReadonlyMap<string, IndexedNote>
  readonly #shared: SharedTerms
  readonly #within = new Map<string, IndexedNotes>()
  #byId: ReadonlyMap<string, IndexedNote> | undefined
  #living: LexicalIndex | undefined
  #whole: LexicalIndex | undefined

  constructor(byKey: ReadonlyMap<string, IndexedNote> = new Map(), shared: SharedTerms = {}) {
    this.byKey = byKey
    this.#shared = shared
  }

  get(key: string): IndexedNote | undefined {
    return this.byKey.get(key)
  }

  /** The note that an index item belongs to. */
  noteOf(id: string): IndexedNote | undefined {
    this.#byId ??= new Map(Array.from(this.byKey.values(), (note) => [note.id, note]))
    return this.#byId.get(id)
  }

  /** The notes of some partitions, or all notes without an argument. */
  within(partitions: readonly string[] | undefined): IndexedNotes {
    if (partitions === undefined) return this
    const name = JSON.stringify(partitions)
    const known = this.#within.get(name)
    if (known !== undefined) return known
    const wanted = new Map<string, IndexedNote>()
    for (const note of this.byKey.values()) if (partitions.includes(note.partition)) wanted.set(note.key, note)
    const found = wanted.size === this.byKey.size ? this : new IndexedNotes(wanted, this.#shared)
    this.#within.set(name, found)
    return found
  }

  with(changed: ReadonlyMap<string, IndexedNote>, removed: readonly string[]): IndexedNotes {
    const now = new Map([...this.byKey, ...changed])
    for (const key of removed) now.delete(key)
    return new IndexedNotes(now, this.#shared)
  }

  /** The index without forgotten notes. */
  get living(): LexicalIndex {
    this.#living ??= new LexicalIndex(
      [...this.byKey.values()].filter(({ status }) => status !== 'deleted'),
      this.#shared,
    )
    return this.#living
  }

  get whole(): LexicalIndex {
    this.#whole ??= new LexicalIndex([...this.byKey.values()], this.#shared)
    return this.#whole
  }
}
