/**
 * What one opened memory remembers about its notes between questions. Each part has the revision that it was made from, as given by
 * the store and the backend. If the revision differs or is absent, the part is made again. The index only suggests notes; each note
 * is opened before it is returned.
 */
import type { RecallEntry } from '@agentm/nodes'
import { KnownTexts } from '../recall/known-texts.ts'
import { compareNotes, type ComparedNotes } from './compare-notes.ts'
import { IndexedNotes } from './indexed-notes.ts'
import { KnownWalks } from './known-walks.ts'
import { type IndexedNote, indexedNote, isStill } from './pure/indexed-note.ts'
import type { SharedTerms } from './pure/lexical-index.ts'
import type { NoteScan } from './scan-notes.ts'

export class NoteCorpus {
  readonly walks = new KnownWalks()
  readonly texts = new KnownTexts()
  readonly #terms: SharedTerms = {}
  #read: { readonly revision: string | undefined; readonly notes: IndexedNotes } | undefined
  #compared: readonly ComparedNotes[] = []

  /** The notes behind the entries of a store. Notes that have not changed since the last revision stay the same objects. */
  indexed({
    entries,
    revision,
  }: {
    readonly entries: readonly RecallEntry[]
    readonly revision?: string
  }): IndexedNotes {
    const before = this.#read
    if (before !== undefined && revision !== undefined && before.revision === revision) return before.notes
    const byKey = new Map<string, IndexedNote>()
    for (const entry of entries) {
      const note = noteOf(entry, before?.notes)
      if (note !== undefined) byKey.set(note.key, note)
    }
    const notes = new IndexedNotes(byKey, this.#terms)
    this.#read = { revision, notes }
    return notes
  }

  /** The found notes compared with the indexed ones. Each of the last two walks is compared with an index only once. */
  compared(scan: NoteScan, indexed: IndexedNotes): ComparedNotes {
    const known = this.#compared.find((each) => each.scan === scan && each.indexed === indexed)
    if (known !== undefined) return known
    const now = compareNotes(scan, indexed)
    this.#compared = [now, ...this.#compared.filter((each) => each.scan !== scan).slice(0, 1)]
    return now
  }
}

function noteOf({ source, partition, data }: RecallEntry, before: IndexedNotes | undefined): IndexedNote | undefined {
  const known = before?.get(String(data['key']))
  return known !== undefined && isStill(known, source, partition, data) ? known : indexedNote(source, partition, data)
}
