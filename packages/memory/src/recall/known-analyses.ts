/**
 * Texts cut into terms, by the version they are of: cutting is the dear part of ranking, and a process that stays meets the
 * same notes at every question. Bounded by what is held: 16 MB for terms and passages, and about as much for their words.
 */
import { type AnalyzedNote, analyzeNote } from '../ranking/pure/rank-lexical.ts'
import { Vocabulary } from '../ranking/pure/vocabulary.ts'

// A term takes four bytes, a passage about as much as ten terms, and a note a hundred more.
const mostHeld = 4_000_000
const mostWords = 200_000

export class KnownAnalyses {
  readonly #byVersion = new Map<string, AnalyzedNote>()
  #vocabulary = new Vocabulary()
  #held = 0

  find(version: string): AnalyzedNote | undefined {
    return this.#byVersion.get(version)
  }

  /** `version` names the text as it is: another text has another. */
  of(version: string, note: { readonly title: string; readonly text: string }): AnalyzedNote {
    const known = this.#byVersion.get(version)
    if (known !== undefined) return known
    if (this.#held > mostHeld || this.#vocabulary.size > mostWords) this.#forget()
    const made = analyzeNote(note, this.#vocabulary)
    this.#held += made.length + 10 * made.passages.length + 100
    this.#byVersion.set(version, made)
    return made
  }

  #forget(): void {
    this.#byVersion.clear()
    this.#vocabulary = new Vocabulary()
    this.#held = 0
  }
}

/** One for the process. */
export const knownAnalyses = new KnownAnalyses()
