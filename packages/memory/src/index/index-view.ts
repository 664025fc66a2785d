/** What recall works out of an index, once for as long as the index stays as it is. */
import type { MemoryContext } from '../memory-context.ts'
import { Corpus, type SharedTerms } from './pure/corpus-of.ts'
import type { IndexedNote } from './pure/indexed-note.ts'

export class IndexView {
  readonly byKey: ReadonlyMap<string, IndexedNote>
  readonly #shared: SharedTerms
  #byId: ReadonlyMap<string, IndexedNote> | undefined
  #living: Corpus | undefined
  #whole: Corpus | undefined

  constructor(byKey: ReadonlyMap<string, IndexedNote>, shared: SharedTerms) {
    this.byKey = byKey
    this.#shared = shared
  }

  /** The note that an item of the index is of. */
  noteOf(id: string): IndexedNote | undefined {
    this.#byId ??= new Map(Array.from(this.byKey.values(), (note) => [note.id, note]))
    return this.#byId.get(id)
  }

  /** Without what was forgotten. */
  get living(): Corpus {
    this.#living ??= new Corpus(
      [...this.byKey.values()].filter(({ status }) => status !== 'deleted'),
      this.#shared,
    )
    return this.#living
  }

  get whole(): Corpus {
    this.#whole ??= new Corpus([...this.byKey.values()], this.#shared)
    return this.#whole
  }
}

const views = new WeakMap<ReadonlyMap<string, IndexedNote>, IndexView>()
const terms = new WeakMap<MemoryContext, SharedTerms>()

export function viewOf(context: MemoryContext, byKey: ReadonlyMap<string, IndexedNote>): IndexView {
  const known = views.get(byKey)
  if (known !== undefined) return known
  const shared = terms.get(context) ?? {}
  terms.set(context, shared)
  const view = new IndexView(byKey, shared)
  views.set(byKey, view)
  return view
}
