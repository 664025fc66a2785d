/**
 * Texts that were cut into terms, by their version: nodes of the log, and notes that are newer than the index. Cutting is the slowest part
 * of ranking, and a long-running process sees the same texts at every question. Limit: 8 MB.
 */
import { analyzedFile } from '../index/analyzed-file.ts'
import type { AnalyzedFile, IndexedAs, LoadedNote } from '../index/pure/indexed-note.ts'
import { analyzeNote, type AnalyzedNote } from '../ranking/pure/rank-lexical.ts'

// A term takes four bytes. A passage counts as about ten terms, and a text as a hundred. A file has its facts, and its text to compare.
const mostHeld = 2_000_000
const factsOfFile = 300
const charactersOfTerm = 4

export class KnownTexts {
  readonly #texts = new Map<string, AnalyzedNote>()
  readonly #files = new Map<string, AnalyzedFile>()
  #held = 0

  /** `version` identifies the text: a changed text has another version. */
  of(version: string, text: string): AnalyzedNote {
    const known = this.#texts.get(version)
    if (known !== undefined) return known
    const analyzed = analyzeNote({ title: '', text })
    return this.#keep(this.#texts, version, { made: analyzed, analyzed, beside: 0 })
  }

  /** A note's file. Its hash is part of the version, and so is everything else that decides how it is read. */
  async file(loaded: LoadedNote, hash: string, as: IndexedAs): Promise<AnalyzedFile> {
    const version = JSON.stringify([loaded.key, hash, loaded.revision, as.seenAt, [...(as.foreign ?? [])]])
    const known = this.#files.get(version)
    if (known !== undefined) return known
    const made = await analyzedFile(loaded, as)
    const beside = factsOfFile + loaded.text.length / charactersOfTerm
    return this.#keep(this.#files, version, { made, analyzed: made.analyzed, beside })
  }

  #keep<T>(
    texts: Map<string, T>,
    version: string,
    {
      made,
      analyzed: { length, passages },
      beside,
    }: { readonly made: T; readonly analyzed: AnalyzedNote; readonly beside: number },
  ): T {
    if (this.#held > mostHeld) this.#forget()
    this.#held += length + 10 * passages.length + 100 + beside
    texts.set(version, made)
    return made
  }

  #forget(): void {
    this.#texts.clear()
    this.#files.clear()
    this.#held = 0
  }
}
