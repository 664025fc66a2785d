/**
 * How well the words of a note answer the words of a question: BM25 of the whole note, and what BM25 of a bag of words
 * cannot see. The best single passage, so that a long note with one answering line beats one that mentions the words here
 * and there; exact forms before mere relatives; words that stand together in both; names before common words.
 */
import { passagesOf, type Passage } from './passages.ts'
import { namesIn, termsOf } from './tokenize.ts'
import { Vocabulary } from './vocabulary.ts'

/** How often words occur in all notes together. */
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

/** A note, cut and tokenized once; holds no text, but numbers of a vocabulary. */
export interface AnalyzedNote {
  /** How many terms it has. */
  readonly length: number
  readonly vocabulary: Vocabulary
  /** The terms of the title, then those of each passage. */
  readonly terms: Uint32Array
  readonly titleLength: number
  readonly passages: readonly AnalyzedPassage[]
}

interface AnalyzedPassage extends Passage {
  /** Where its terms end; they begin where those of the one before end. */
  readonly termsEnd: number
}

export interface LexicalScore {
  readonly score: number
  /** 0 to 1: how much of what the question asks stands close together: in one passage, and the title above it. */
  readonly together: number
  /** The passage that answers best; none when only the title matches, or nothing. */
  readonly passage: Passage | undefined
}

// Chosen on two labelled sets, chat sessions and scientific abstracts; the optimum is flat.
export const lexicalWeights: LexicalWeights = { passage: 0.75, exact: 0.3, pair: 0.5, name: 0.5 }

// BM25's usual constants for whole notes; passages are short and alike in length, so repetition and length mean less.
const noteCurve = { saturation: 1.2, lengthPenalty: 0.75 }
const passageCurve = { saturation: 0.6, lengthPenalty: 0.4 }
const averagePassageLength = 12
// Measured by `npm run eval -- floor`: with every term counted, a prompt of thirty words never finds its answer good enough.
const coreTerms = 3

/** Notes that share a vocabulary are ranked fastest. */
export function analyzeNote(
  note: { readonly title: string; readonly text: string },
  vocabulary = new Vocabulary(),
): AnalyzedNote {
  const numbersIn = (text: string) => termsOf(text).map((term) => vocabulary.numberOf(term))
  const terms = numbersIn(note.title)
  const titleLength = terms.length
  const passages = passagesOf(note.text).map(({ start, end }) => {
    for (const number of numbersIn(note.text.slice(start, end))) terms.push(number)
    return { start, end, termsEnd: terms.length }
  })
  return { length: terms.length, vocabulary, terms: Uint32Array.from(terms), titleLength, passages }
}

export interface LexicalQuery {
  readonly terms: readonly QueryTerm[]
  /** What its few heaviest terms are worth: a long prompt asks for no more than a short question does. */
  readonly core: number
  readonly averageLength: number
  /** Which words of a vocabulary it asks for. */
  readonly wanted: Map<Vocabulary, Wanted>
}

interface QueryTerm {
  readonly stem: string
  readonly surfaces: ReadonlySet<string>
  readonly weight: number
  /** What holding it is worth as evidence: its rarity, as far as so many notes can tell. */
  readonly worth: number
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
    const worth = worthOf(stem, corpus)
    return { stem, surfaces: new Set(forms.map((form) => form.surface)), weight, worth, followers: new Set(followers) }
  })
  const heaviest = terms.map(({ worth }) => worth).toSorted((a, b) => b - a)
  const core = heaviest.slice(0, coreTerms).reduce((sum, worth) => sum + worth, 0)
  return { terms, core, averageLength: corpus.averageLength, wanted: new Map() }
}

export function rankLexical(query: LexicalQuery, note: AnalyzedNote, weights = lexicalWeights): LexicalScore {
  const wanted = wantedIn(query, note.vocabulary)
  const [whole, own] = [tally(query), tally(query)]
  let best = 0
  let passage: Passage | undefined
  countInto(whole, query, { note, wanted, from: 0, to: note.titleLength })
  const title = whole.stems.slice()
  let together = worthIn(query, title)
  let from = note.titleLength
  for (const { start, end, termsEnd: to } of note.passages) {
    if (countInto(own, query, { note, wanted, from, to })) {
      const score = bm25(query, own.stems, (to - from) / averagePassageLength, passageCurve)
      if (score > best) [best, passage] = [score, { start, end }]
      together = Math.max(together, worthIn(query, title, own.stems))
      moveTally(whole, own)
    }
    from = to
  }
  const length = note.length / query.averageLength
  const score =
    bm25(query, whole.stems, length, noteCurve) +
    weights.exact * bm25(query, whole.surfaces, length, noteCurve) +
    weights.pair * bm25(query, whole.pairs, length, noteCurve) +
    weights.passage * best
  return { score, passage, together: query.core === 0 ? 0 : Math.min(1, together / query.core) }
}

/** Of the terms that occur in one of the two. */
function worthIn({ terms }: LexicalQuery, one: Float64Array, other = one): number {
  let sum = 0
  for (const [i, { worth }] of terms.entries()) if ((one[i] ?? 0) + (other[i] ?? 0) > 0) sum += worth
  return sum
}

/**
 * By number of a word: 0 where it is not asked for, else twice the place of its term, counted from 1, and one more where it is
 * in the very form of the question.
 */
type Wanted = Uint32Array

function wantedIn(query: LexicalQuery, vocabulary: Vocabulary): Wanted {
  const known = query.wanted.get(vocabulary)
  if (known?.length === vocabulary.size) return known
  const wanted = new Uint32Array(vocabulary.size)
  for (const [i, { stem, surfaces }] of query.terms.entries()) {
    const exact = new Set(Array.from(surfaces, (surface) => vocabulary.find(surface)))
    for (const form of vocabulary.formsOf(stem)) wanted[form] = 2 * (i + 1) + (exact.has(form) ? 1 : 0)
  }
  query.wanted.set(vocabulary, wanted)
  return wanted
}

/** BM25's inverse document frequency, never negative. */
function rarity(stem: string, corpus: CorpusStatistics): number {
  const frequency = Math.min(corpus.documentFrequency(stem), corpus.documents)
  return Math.log(1 + (corpus.documents - frequency + 0.5) / (frequency + 0.5))
}

/** In three notes a word that all of them hold is not common yet, so the first few dozen count for less. */
function worthOf(stem: string, corpus: CorpusStatistics): number {
  const frequency = Math.min(corpus.documentFrequency(stem), corpus.documents) + presumed.frequency
  return Math.log(1 + (corpus.documents + presumed.documents - frequency + 0.5) / (frequency + 0.5))
}

const presumed = { documents: 20, frequency: 0.4 }

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

interface Stretch {
  readonly note: AnalyzedNote
  readonly wanted: Wanted
  readonly from: number
  readonly to: number
}

function countInto(into: Tally, query: LexicalQuery, { note, wanted, from, to }: Stretch): boolean {
  const { terms } = note
  let before = -1
  let found = false
  for (let i = from; i < to; i++) {
    const code = wanted[terms[i] ?? 0] ?? 0
    if (code === 0) {
      before = -1
      continue
    }
    const at = (code >> 1) - 1
    found = true
    into.stems[at] = (into.stems[at] ?? 0) + 1
    if (code % 2 === 1) into.surfaces[at] = (into.surfaces[at] ?? 0) + 1
    if (before !== -1 && query.terms[before]?.followers.has(at) === true)
      into.pairs[before] = (into.pairs[before] ?? 0) + 1
    before = at
  }
  return found
}

/** Leaves nothing where it came from. */
function moveTally(into: Tally, from: Tally): void {
  for (const key of ['stems', 'surfaces', 'pairs'] as const) {
    for (let i = 0; i < into[key].length; i++) into[key][i] = (into[key][i] ?? 0) + (from[key][i] ?? 0)
    from[key].fill(0)
  }
}

interface Curve {
  readonly saturation: number
  readonly lengthPenalty: number
}

function bm25(query: LexicalQuery, counted: Float64Array, length: number, curve: Curve): number {
  let sum = 0
  for (let i = 0; i < counted.length; i++) {
    const times = counted[i] ?? 0
    if (times > 0) sum += (query.terms[i]?.weight ?? 0) * saturated(times, length, curve)
  }
  return sum
}

function saturated(times: number, length: number, { saturation, lengthPenalty }: Curve): number {
  return (times * (saturation + 1)) / (times + saturation * (1 - lengthPenalty + lengthPenalty * length))
}
