/**
 * How well the words of a note answer the words of a question: BM25 of the whole note, and what BM25 of a bag of words
 * cannot see. The best single passage, so that a long note with one answering line beats one that mentions the words here
 * and there; exact forms before mere relatives; words that stand together in both; names before common words.
 */
import { passagesOf, type Passage } from './passages.ts'
import { namesIn, termsOf, type Term } from './tokenize.ts'

export interface CorpusStatistics {
  readonly documents: number
  /** Mean number of terms of a note. */
  readonly averageLength: number
  documentFrequency(stem: string): number
}

export interface LexicalWeights {
  /** The best passage beside the whole note. */
  readonly passage: number
  /** Occurrences in the very form of the question. */
  readonly exact: number
  /** Two words of the question side by side. */
  readonly pair: number
  /** A word written as a name counts this much more. */
  readonly name: number
}

/** A note, cut and tokenized once; holds no text. */
export interface AnalyzedNote {
  readonly length: number
  readonly title: readonly Term[]
  readonly passages: readonly AnalyzedPassage[]
}

interface AnalyzedPassage extends Passage {
  readonly terms: readonly Term[]
}

export interface LexicalScore {
  readonly score: number
  /** The passage that answers best; none when only the title matches, or nothing. */
  readonly passage: Passage | undefined
}

// Chosen on two labelled sets, chat sessions and scientific abstracts; the optimum is flat.
export const lexicalWeights: LexicalWeights = { passage: 0.75, exact: 0.3, pair: 0.5, name: 0.5 }

// BM25's usual constants for whole notes; passages are short and alike in length, so repetition and length mean less.
const noteCurve = { saturation: 1.2, lengthPenalty: 0.75 }
const passageCurve = { saturation: 0.6, lengthPenalty: 0.4 }
const averagePassageLength = 12

export function analyzeNote(note: { readonly title: string; readonly text: string }): AnalyzedNote {
  const title = termsOf(note.title)
  const passages = passagesOf(note.text).map(({ start, end }) => ({
    start,
    end,
    terms: termsOf(note.text.slice(start, end)),
  }))
  return { title, passages, length: passages.reduce((sum, { terms }) => sum + terms.length, title.length) }
}

export interface LexicalQuery {
  readonly terms: readonly QueryTerm[]
  readonly positions: ReadonlyMap<string, number>
  readonly averageLength: number
}

interface QueryTerm {
  readonly stem: string
  readonly surfaces: ReadonlySet<string>
  readonly weight: number
  /** The terms that follow this one in the question. */
  readonly followers: ReadonlySet<number>
}

export function analyzeQuery(text: string, corpus: CorpusStatistics, weights = lexicalWeights): LexicalQuery {
  const words = termsOf(text)
  const stems = Array.from(new Set(words.map((word) => word.stem)))
  const names = namesIn(text)
  const positions = new Map(stems.map((stem, i) => [stem, i]))
  const terms = stems.map((stem) => {
    const forms = words.filter((word) => word.stem === stem)
    const weight = rarity(stem, corpus) * (names.has(stem) ? 1 + weights.name : 1)
    const followers = words.flatMap((word, i) =>
      word.stem === stem ? [positions.get(words[i + 1]?.stem ?? '') ?? -1] : [],
    )
    return { stem, surfaces: new Set(forms.map((form) => form.surface)), weight, followers: new Set(followers) }
  })
  return { terms, positions, averageLength: corpus.averageLength }
}

export function rankLexical(query: LexicalQuery, note: AnalyzedNote, weights = lexicalWeights): LexicalScore {
  const whole = tally(query)
  let best = 0
  let passage: Passage | undefined
  countInto(whole, query, note.title)
  for (const candidate of note.passages) {
    const own = tally(query)
    if (!countInto(own, query, candidate.terms)) continue
    addTally(whole, own)
    const score = bm25(query, own.stems, candidate.terms.length / averagePassageLength, passageCurve)
    if (score > best) [best, passage] = [score, { start: candidate.start, end: candidate.end }]
  }
  const length = note.length / query.averageLength
  const score =
    bm25(query, whole.stems, length, noteCurve) +
    weights.exact * bm25(query, whole.surfaces, length, noteCurve) +
    weights.pair * bm25(query, whole.pairs, length, noteCurve) +
    weights.passage * best
  return { score, passage }
}

/** BM25's inverse document frequency, never negative. */
function rarity(stem: string, corpus: CorpusStatistics): number {
  const frequency = Math.min(corpus.documentFrequency(stem), corpus.documents)
  return Math.log(1 + (corpus.documents - frequency + 0.5) / (frequency + 0.5))
}

/** How often each query term occurs: as any form, in the question's form, and followed as in the question. */
interface Tally {
  readonly stems: Float64Array
  readonly surfaces: Float64Array
  readonly pairs: Float64Array
}

function tally({ terms }: LexicalQuery): Tally {
  return {
    stems: new Float64Array(terms.length),
    surfaces: new Float64Array(terms.length),
    pairs: new Float64Array(terms.length),
  }
}

function countInto(into: Tally, query: LexicalQuery, terms: readonly Term[]): boolean {
  let found = false
  let before: QueryTerm | undefined
  let beforeAt = 0
  for (const { stem, surface } of terms) {
    const at = query.positions.get(stem)
    const term = at === undefined ? undefined : query.terms[at]
    if (at !== undefined && term !== undefined) {
      found = true
      into.stems[at] = (into.stems[at] ?? 0) + 1
      if (term.surfaces.has(surface)) into.surfaces[at] = (into.surfaces[at] ?? 0) + 1
      if (before?.followers.has(at) === true) into.pairs[beforeAt] = (into.pairs[beforeAt] ?? 0) + 1
      beforeAt = at
    }
    before = term
  }
  return found
}

function addTally(into: Tally, from: Tally): void {
  for (const key of ['stems', 'surfaces', 'pairs'] as const) {
    for (let i = 0; i < into[key].length; i++) into[key][i] = (into[key][i] ?? 0) + (from[key][i] ?? 0)
  }
}

interface Curve {
  readonly saturation: number
  readonly lengthPenalty: number
}

function bm25(query: LexicalQuery, counted: Float64Array, length: number, curve: Curve): number {
  return query.terms.reduce((sum, { weight }, i) => sum + weight * saturated(counted[i] ?? 0, length, curve), 0)
}

function saturated(times: number, length: number, { saturation, lengthPenalty }: Curve): number {
  if (times === 0) return 0
  return (times * (saturation + 1)) / (times + saturation * (1 - lengthPenalty + lengthPenalty * length))
}
