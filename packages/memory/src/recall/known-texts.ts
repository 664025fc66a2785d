/**
 * Texts cut into terms, by the version they are of: cutting is the dear part of ranking, and a process that stays meets the
 * same notes at every question. Bounded by what is held: 16 MB for terms and passages, and about as much for their words.
 */
import type { FoundItem } from './pure/rank-found.ts'
import { type AnalyzedNote, analyzeNote } from '../ranking/pure/rank-lexical.ts'
import { Vocabulary } from '../ranking/pure/vocabulary.ts'

/** What a text says at its place. */
export interface NoteFacts {
  readonly item: Omit<FoundItem, 'text' | 'analyzed' | 'similarity' | 'similarityBelow' | 'lexical'>
  /** What it is ranked by beside its text. */
  readonly name: string
  /** The name it says it has, where that is not the name of its file. */
  readonly named: string | undefined
  /** Whose belief it is, where another device published it. */
  readonly publishedFor: string | undefined
}

export interface KnownText {
  readonly analyzed: AnalyzedNote
  /** Of a note. */
  readonly facts?: NoteFacts
}

// A term takes four bytes, a passage about as much as ten terms, and a note a hundred more.
const mostHeld = 4_000_000
const mostWords = 200_000

export class KnownTexts {
  readonly #byVersion = new Map<string, KnownText>()
  #vocabulary = new Vocabulary()
  #held = 0

  find(version: string): KnownText | undefined {
    return this.#byVersion.get(version)
  }

  /** `version` names the text as it is: another text has another. */
  of(version: string, note: { readonly title: string; readonly text: string }, facts?: NoteFacts): KnownText {
    const known = this.#byVersion.get(version)
    if (known !== undefined) return known
    if (this.#held > mostHeld || this.#vocabulary.size > mostWords) this.#forget()
    const analyzed = analyzeNote(note, this.#vocabulary)
    const made = { analyzed, ...(facts === undefined ? {} : { facts }) }
    this.#held += analyzed.length + 10 * analyzed.passages.length + 100
    this.#byVersion.set(version, made)
    return made
  }

  #forget(): void {
    this.#byVersion.clear()
    this.#vocabulary = new Vocabulary()
    this.#held = 0
  }
}
