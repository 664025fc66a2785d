/**
 * Texts that were cut into terms, by their version: nodes of the log, and notes that are newer than the index. Cutting is the slowest part
 * of ranking, and a long-running process sees the same texts at every question. Limit: 8 MB.
 */
import { analyzedFile, type AnalyzedFile, type IndexedAs, type LoadedNote } from '../index/pure/indexed-note.ts'
import { analyzeNote, type AnalyzedNote } from '../ranking/pure/rank-lexical.ts'

// A term takes four bytes. A passage counts as about ten terms, and a text as a hundred.
const mostHeld = 2_000_000

export class KnownTexts {
  readonly #texts = new Map<string, AnalyzedNote>()
  readonly #files = new Map<string, AnalyzedFile>()
  #held = 0

  /** `version` identifies the text: a changed text has another version. */
  of(version: string, text: string): AnalyzedNote {
    return this.#kept(this.#texts, version, () => {
      const analyzed = analyzeNote({ title: '', text })
      return [analyzed, analyzed]
    })
  }

  /** A note's file. Its hash is part of the version, and so is everything else that decides how it is read. */
  file(loaded: LoadedNote, hash: string, as: IndexedAs): AnalyzedFile {
    const version = JSON.stringify([loaded.key, hash, loaded.revision, as.seenAt, [...(as.foreign ?? [])]])
    return this.#kept(this.#files, version, () => {
      const file = analyzedFile(loaded, as)
      return [file, file.analyzed]
    })
  }

  #kept<T>(texts: Map<string, T>, version: string, made: () => readonly [T, AnalyzedNote]): T {
    const known = texts.get(version)
    if (known !== undefined) return known
    if (this.#held > mostHeld) this.#forget()
    const [text, { length, passages }] = made()
    this.#held += length + 10 * passages.length + 100
    texts.set(version, text)
    return text
  }

  #forget(): void {
    this.#texts.clear()
    this.#files.clear()
    this.#held = 0
  }
}
