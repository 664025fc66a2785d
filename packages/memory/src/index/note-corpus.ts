/**
 * What one opened memory remembers about its notes between questions: the index, the last walks, and the notes that were read because they
 * are newer than the index. The index only suggests notes; each note is opened before it is returned.
 */
import type { ByteTables } from '@agentm/nodes/store-kit'
import { KnownTexts } from '../recall/known-texts.ts'
import { type ComparedNotes, compareNotes } from './compare-notes.ts'
import { noteId } from '../notes/pure/note-id.ts'
import { KnownWalks } from './known-walks.ts'
import type { NoteState } from './note-state.ts'
import { PackedNotes } from './packed-notes.ts'
import type { NoteScan } from './scan-notes.ts'

export class NoteCorpus {
  readonly walks = new KnownWalks()
  readonly texts = new KnownTexts()
  readonly notes: PackedNotes
  readonly #storeId: string

  #kept: ComparedNotes | undefined
  #compared: readonly (ComparedNotes & { readonly state: NoteState })[] = []

  constructor(tables: ByteTables, { owner, storeId }: { readonly owner: string; readonly storeId: string }) {
    this.#storeId = storeId
    this.notes = new PackedNotes(tables, JSON.stringify(['notes', owner, storeId]))
  }

  /** The found notes compared with the indexed ones. Each of the last two walks is compared with an index only once. */
  compared(scan: NoteScan): ComparedNotes & { readonly state: NoteState } {
    return this.notes.read((view) => {
      const known = this.#compared.find((each) => each.scan === scan && each.state === view.state)
      if (known !== undefined) return known
      const now = { ...compareNotes(scan, view, (key) => noteId(this.#storeId, key)), state: view.state }
      this.#compared = [now, ...this.#compared.filter((each) => each.scan !== scan).slice(0, 1)]
      return now
    })
  }

  /** Answers `true` once for each comparison, so that what follows from it is kept once. */
  isNews(compared: ComparedNotes): boolean {
    const isNews = this.#kept !== compared
    this.#kept = compared
    return isNews
  }
}
