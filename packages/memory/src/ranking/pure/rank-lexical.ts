/**
 * How well the words of a note answer a question. It uses BM25 of the whole note, and adds what BM25 does not see: the best single
 * passage, so that a long note with one answering line beats one with scattered words; the title; exact word forms; word pairs; names; and
 * other words that can stand for those of the question.
 */
import { askingWeight } from './asking-words.ts'
import { headingLevels } from './heading-levels.ts'
import { HeadingsAbove } from './headings-above.ts'
import { passagesOf, type Passage } from './passages.ts'
import { languageOf } from './language-of.ts'
import { questionTerms } from './question-terms.ts'
import { frequencyOf, rarity, worthOf } from './rarity.ts'
import { type RelatedWords, relativesIn, type StandIn, standIns } from './related-words.ts'
import { stemCode, stemOf } from './term-code.ts'
import { termsOf } from './tokenize.ts'

/** How often words occur in all notes. */
export interface CorpusStatistics {
  readonly documents: number
  /** The mean number of terms per note. */
  readonly averageLength: number
  documentFrequency(stem: string): number
}

export interface LexicalWeights {
  /** The weight of the best passage, beside the whole note. */
  readonly passage: number
  /** The weight of words in exactly the form of the question. */
  readonly exact: number
  /** The weight of two words of the question next to each other. */
  readonly pair: number
  /** Added to the rarity of a word that is written as a name, because a common name still says whom a question is about. */
  readonly name: number
  /** The weight of words in the title. */
  readonly title: number
}

/** A note that was split into terms once. It contains the codes of its terms instead of text, so that an index can keep it. */
export interface AnalyzedNote {
  /** The number of its terms. */
  readonly length: number
  /** The codes of the terms of the title, then of those of each passage, then of those of other fields. */
  readonly terms: Uint32Array
  readonly titleLength: number
  readonly passages: readonly AnalyzedPassage[]
}

interface AnalyzedPassage extends Passage {
  /** Where its terms end. They begin where those of the previous passage end. */
  readonly termsEnd: number
  /** 1 to 6 for a heading, otherwise 0. */
  readonly level: number
}

/**
 * Terms of a question that a note contains. Each list is indexed like `LexicalQuery.terms`: 1 for a term that is there, the share of a related
 * word that stands for it, 0 for an absent one.
 */
export interface MatchedTerms {
  /** In the passage with most of the question, or in the headings and the title above it. */
  readonly near: Float64Array
  /** Anywhere in the note. */
  readonly whole: Float64Array
  /** Followed by the same word as in the question. */
  readonly pairs: Uint8Array
}

export interface LexicalScore {
  readonly score: number
  /** How much of the question appears together in one passage, the headings and the title above it, 0 to 1. */
  readonly together: number
  /** Which terms of the question it contains. */
  readonly matched: MatchedTerms
  /** The passage that answers best; `undefined` if only the title matches, or nothing. */
  readonly passage: Passage | undefined
}

// Chosen on two labelled sets, chat sessions and scientific abstracts; the optimum is flat.
export const lexicalWeights: LexicalWeights = { passage: 0.75, exact: 0.2, pair: 0.5, name: 1, title: 0.5 }

// BM25's usual length penalty for whole notes, and a little less than its usual saturation. Passages are short and of similar length, so repetition and length matter less there.
const noteCurve = { saturation: 0.9, lengthPenalty: 0.75 }
const passageCurve = { saturation: 0.6, lengthPenalty: 0.2 }
const titleCurve = { saturation: 0.6, lengthPenalty: 0 }
const averagePassageLength = 12
// Measured with `npm run eval -- floor`: if every term counted, no note would answer a prompt of thirty words well enough.
const coreTerms = 3

/** Splits a note into terms once, so that it can be ranked for many questions. */
export function analyzeNote(note: Analyzable): AnalyzedNote {
  const language = languageOf(`${note.title}\n${note.text}`)
  const terms = termsOf(note.title, language).map(({ code }) => code)
  const titleLength = terms.length
  const found = passagesOf(note.text)
  const levels = headingLevels(note.text, found)
  const passages = found.map(({ start, end }, i) => {
    for (const { code } of termsOf(note.text.slice(start, end), language)) terms.push(code)
    return { start, end, termsEnd: terms.length, level: levels[i] ?? 0 }
  })
  for (const { code } of termsOf(note.fields ?? '', language)) terms.push(code)
  return { length: terms.length, terms: Uint32Array.from(terms), titleLength, passages }
}

export interface Analyzable {
  readonly title: string
  readonly text: string
  /** What it is found by beside these, such as other names and dates. */
  readonly fields?: string
}

/** Where the terms of other fields begin. They count with any passage, as those of the title do. */
export function fieldsStart({ passages, titleLength }: AnalyzedNote): number {
  return passages.at(-1)?.termsEnd ?? titleLength
}

export interface LexicalQuery {
  readonly terms: readonly QueryTerm[]
  /** The total weight of its few heaviest terms. It keeps a long prompt from asking for more than a short question. */
  readonly core: number
  readonly averageLength: number
  /** The place of each term by the code of its stem. */
  readonly places: ReadonlyMap<number, number>
  /** What other stems count as, by their code. */
  readonly relatives: ReadonlyMap<number, readonly StandIn[]>
}

export interface QueryTerm {
  readonly stem: string
  /** Other stems that count as the same word. */
  readonly also: readonly string[]
  /** The codes of the forms that the question has of it. */
  readonly forms: ReadonlySet<number>
  readonly weight: number
  /** The weight of a match: its rarity, reduced while there are only few notes. */
  readonly worth: number
  /** Whether it is written as a name. */
  readonly isName: boolean
  /** The terms that come directly after this one in the question. */
  readonly followers: ReadonlySet<number>
}

export interface QueryOptions {
  /** Words that can stand for those of the question (default: none). */
  readonly related?: RelatedWords | undefined
  readonly weights?: LexicalWeights
}

export function analyzeQuery(
  text: string,
  corpus: CorpusStatistics,
  { related, weights = lexicalWeights }: QueryOptions = {},
): LexicalQuery {
  const words = questionTerms(text, corpus, related?.spelledLike)
  const stems = Array.from(new Set(words.map((word) => word.stem)))
  const positions = new Map(stems.map((stem, i) => [stem, i]))
  const occurrences = new Map<string, number[]>(stems.map((stem) => [stem, []]))
  for (const [i, { stem }] of words.entries()) occurrences.get(stem)?.push(i)
  const terms = stems.map((stem) => {
    const at = occurrences.get(stem) ?? []
    const forms = at.flatMap((i) => words[i] ?? [])
    const also = forms.flatMap((form) => form.also)
    const isName = forms.some((form) => form.isName)
    const share = Math.max(...forms.map((form) => form.share))
    const frequency = frequencyOf([stem, ...also], corpus)
    const weight = share * (rarity(frequency, corpus) * askingWeight(stem) + (isName ? weights.name : 0))
    const followers = at.map((i) => positions.get(words[i + 1]?.stem ?? '') ?? -1)
    const worth = share * worthOf(frequency, corpus)
    const codes = new Set(forms.map(({ code }) => code))
    return { stem, also, forms: codes, weight, worth, isName, followers: new Set(followers) }
  })
  const heaviest = terms.map(({ worth }) => worth).toSorted((a, b) => b - a)
  const core = heaviest.slice(0, coreTerms).reduce((sum, worth) => sum + worth, 0)
  const others = terms.flatMap(({ also }, i) => also.map((stem) => [stemCode(stem), i] as const))
  const places = new Map([...others, ...stems.map((stem, i) => [stemCode(stem), i] as const)])
  const relatives: LexicalQuery['relatives'] =
    related === undefined ? new Map() : standIns(relativesIn(words, corpus, related), positions)
  return { terms, core, averageLength: corpus.averageLength, places, relatives }
}

export function rankLexical(query: LexicalQuery, note: AnalyzedNote, weights = lexicalWeights): LexicalScore {
  const [whole, own] = [tally(query), tally(query)]
  let best = 0
  let passage: Passage | undefined
  countInto(whole, query, { note, from: 0, to: note.titleLength })
  const headings = new HeadingsAbove(presentIn(whole))
  countInto(whole, query, { note, from: fieldsStart(note), to: note.terms.length })
  const title = presentIn(whole)
  const titleScore = bm25(query, counted(whole), 1, titleCurve)
  let near = title
  let together = worthIn(query, near)
  let from = note.titleLength
  for (const { start, end, termsEnd: to, level } of note.passages) {
    headings.leave(level)
    if (countInto(own, query, { note, from, to })) {
      const [present, above] = [presentIn(own), headings.present]
      const ownScore = bm25(query, counted(own), (to - from) / averagePassageLength, passageCurve)
      const score = above === undefined ? ownScore : ownScore + weightAbove(query, present, above)
      if (score > best) [best, passage] = [score, { start, end }]
      const here = present.map((share, i) => Math.max(share, title[i] ?? 0, above?.[i] ?? 0))
      const worth = worthIn(query, here)
      if (worth > together) [together, near] = [worth, here]
      if (level > 0) headings.enter(level, present)
      moveTally(whole, own)
    }
    from = to
  }
  const length = note.length / query.averageLength
  const score =
    bm25(query, counted(whole), length, noteCurve) +
    weights.title * titleScore +
    weights.exact * bm25(query, whole.surfaces, length, noteCurve) +
    weights.pair * bm25(query, whole.pairs, length, noteCurve) +
    weights.passage * best
  const matched = { near, whole: presentIn(whole), pairs: Uint8Array.from(whole.pairs, (times) => (times > 0 ? 1 : 0)) }
  return { score, passage, together: query.core === 0 ? 0 : Math.min(1, together / query.core), matched }
}

/** 1 for each term that occurs, otherwise the share of what stands for it. */
function presentIn({ stems, standIns: others }: Tally): Float64Array {
  return stems.map((times, i) => (times > 0 ? 1 : (others[i] ?? 0)))
}

/** What the words above a passage add to it, as far as it does not say them itself. */
function weightAbove({ terms }: LexicalQuery, present: Float64Array, above: Float64Array): number {
  let sum = 0
  for (const [i, { weight }] of terms.entries()) if (present[i] === 0) sum += weight * (above[i] ?? 0)
  return sum
}

function worthIn({ terms }: LexicalQuery, present: Float64Array): number {
  let sum = 0
  for (const [i, { worth }] of terms.entries()) sum += worth * (present[i] ?? 0)
  return sum
}

/** How often each query term occurs: in any form, in the question's form, and followed by the same word as in the question. */
interface Tally {
  readonly stems: Float64Array
  readonly surfaces: Float64Array
  readonly pairs: Float64Array
  /** The largest share of another word that can stand for it. */
  readonly standIns: Float64Array
}

function tally({ terms }: LexicalQuery): Tally {
  return {
    stems: new Float64Array(terms.length),
    surfaces: new Float64Array(terms.length),
    pairs: new Float64Array(terms.length),
    standIns: new Float64Array(terms.length),
  }
}

interface Stretch {
  readonly note: AnalyzedNote
  readonly from: number
  readonly to: number
}

function countInto(into: Tally, query: LexicalQuery, { note, from, to }: Stretch): boolean {
  const { terms } = note
  let before = -1
  let found = false
  for (let i = from; i < to; i++) {
    const code = terms[i] ?? 0
    const at = query.places.get(stemOf(code))
    if (at === undefined) {
      before = -1
      for (const { at: place, share } of query.relatives.get(stemOf(code)) ?? []) {
        found = true
        into.standIns[place] = Math.max(into.standIns[place] ?? 0, share)
      }
      continue
    }
    found = true
    into.stems[at] = (into.stems[at] ?? 0) + 1
    if (query.terms[at]?.forms.has(code) === true) into.surfaces[at] = (into.surfaces[at] ?? 0) + 1
    if (before !== -1 && query.terms[before]?.followers.has(at) === true)
      into.pairs[before] = (into.pairs[before] ?? 0) + 1
    before = at
  }
  return found
}

/** Adds the counts to another tally and resets them. */
function moveTally(into: Tally, from: Tally): void {
  for (const key of ['stems', 'surfaces', 'pairs'] as const) {
    for (let i = 0; i < into[key].length; i++) into[key][i] = (into[key][i] ?? 0) + (from[key][i] ?? 0)
    from[key].fill(0)
  }
  for (let i = 0; i < into.standIns.length; i++)
    into.standIns[i] = Math.max(into.standIns[i] ?? 0, from.standIns[i] ?? 0)
  from.standIns.fill(0)
}

/** The occurrences of each term, or what stands for it where it does not occur. */
function counted({ stems, standIns: others }: Tally): Float64Array {
  return stems.map((times, i) => (times > 0 ? times : (others[i] ?? 0)))
}

interface Curve {
  readonly saturation: number
  readonly lengthPenalty: number
}

function bm25(query: LexicalQuery, occurrences: Float64Array, length: number, curve: Curve): number {
  let sum = 0
  for (let i = 0; i < occurrences.length; i++) {
    const times = occurrences[i] ?? 0
    if (times > 0) sum += (query.terms[i]?.weight ?? 0) * saturated(times, length, curve)
  }
  return sum
}

function saturated(times: number, length: number, { saturation, lengthPenalty }: Curve): number {
  return (times * (saturation + 1)) / (times + saturation * (1 - lengthPenalty + lengthPenalty * length))
}
