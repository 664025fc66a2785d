/**
 * Caches texts that were split into terms, by their version. Splitting is the slowest part of ranking, and a long-running process
 * sees the same notes at every question. Limit: 16 MB.
 */
import type { FoundItem } from './pure/rank-found.ts'
import { type AnalyzedNote, analyzeNote } from '../ranking/pure/rank-lexical.ts'

/** The facts of a note that its text and key determine. */
export interface NoteFacts {
  readonly item: Omit<FoundItem, 'text' | 'analyzed' | 'similarity' | 'similarityBelow' | 'lexical'>
  /** The name that it is ranked by, beside its text. */
  readonly name: string
  /** The slug in the note, if it differs from the file name. */
  readonly named: string | undefined
  /** The device whose belief it is, if another device published it. */
  readonly publishedFor: string | undefined
}

export interface KnownText {
  readonly analyzed: AnalyzedNote
  /** Set for notes. */
  readonly facts?: NoteFacts
}

// A term takes four bytes. A passage counts as about ten terms, and a note as a hundred.
const mostHeld = 4_000_000

export class KnownTexts {
  readonly #byVersion = new Map<string, KnownText>()
  #held = 0

  find(version: string): KnownText | undefined {
    return this.#byVersion.get(version)
  }

  /** `version` identifies the text: a changed text has another version. */
  of(version: string, note: { readonly title: string; readonly text: string }, facts?: NoteFacts): KnownText {
    const known = this.#byVersion.get(version)
    if (known !== undefined) return known
    if (this.#held > mostHeld) this.#forget()
    const analyzed = analyzeNote(note)
    const made = { analyzed, ...(facts === undefined ? {} : { facts }) }
    this.#held += analyzed.length + 10 * analyzed.passages.length + 100
    this.#byVersion.set(version, made)
    return made
  }

  #forget(): void {
    this.#byVersion.clear()
    this.#held = 0
  }
}
