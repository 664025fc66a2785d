/**
 * Several copies of one text are one result: a note that was saved in two projects, an observation that was made five times. Copies are
 * told by their words, so a date, a comma or another title makes no difference.
 */
import { type AnalyzedNote, fieldsStart, type MatchedTerms } from '../../ranking/pure/rank-lexical.ts'
import { stemOf } from '../../ranking/pure/term-code.ts'
import type { FoundItem } from './rank-found.ts'

export interface MaybeCopy {
  readonly analyzed: AnalyzedNote
  /** Whether a program recorded it. The same event is recorded again with other times and counts. */
  readonly isRecorded: boolean
  /** Whether it is a person's own file. Its other copies are shown too, because a person may keep them on purpose. */
  readonly isPersonal?: boolean
  /** Texts that differ in a word of the question are not copies. */
  readonly matched?: MatchedTerms
}

/** A found item as one that may be a copy. */
export function maybeCopy({ analyzed, of }: Pick<FoundItem, 'analyzed' | 'of'>): MaybeCopy {
  return { analyzed, isRecorded: of === 'episode' || of === 'session' }
}

// In a note, one other number in a short text is another fact.
const leastAlike = { kept: 0.95, recorded: 0.8 }

/**
 * The first `most` items without copies. Of several copies, the first one keeps its place, but a note is shown instead of a record of the
 * same words.
 */
export function withoutCopies<T>(items: readonly T[], viewOf: (item: T) => MaybeCopy, most = Infinity): readonly T[] {
  const shown: Shown<T>[] = []
  for (const item of items) {
    const found = new Shown(item, viewOf(item))
    const first = shown.find((other) => isCopy(found, other))
    if (first === undefined && shown.length < most) shown.push(found)
    if (first === undefined && shown.length >= most) break
    if (first?.view.isRecorded === true && !found.view.isRecorded) shown[shown.indexOf(first)] = found
  }
  return shown.map(({ item }) => item)
}

class Shown<T> {
  readonly item: T
  readonly view: MaybeCopy
  #words: ReadonlySet<number> | undefined

  constructor(item: T, view: MaybeCopy) {
    this.item = item
    this.view = view
  }

  /** Made when it is first compared. Most texts already differ in which words of the question they contain. */
  get words(): ReadonlySet<number> {
    return (this.#words ??= wordsOf(this.view.analyzed))
  }
}

function isCopy(one: Shown<unknown>, other: Shown<unknown>): boolean {
  const isRecorded = one.view.isRecorded || other.view.isRecorded
  if (!isRecorded && (one.view.isPersonal === true || other.view.isPersonal === true)) return false
  if (!matchAlike(one.view.matched, other.view.matched)) return false
  const [few, many] = one.words.size < other.words.size ? [one.words, other.words] : [other.words, one.words]
  const least = isRecorded ? leastAlike.recorded : leastAlike.kept
  if (few.size < many.size * least || many.size === 0) return false
  let common = 0
  for (const word of few) if (many.has(word)) common += 1
  return common / (few.size + many.size - common) >= least
}

function matchAlike(one: MatchedTerms | undefined, other: MatchedTerms | undefined): boolean {
  if (one === undefined || other === undefined) return true
  return one.whole.every((has, i) => has === other.whole[i])
}

/** The stems of the text without its heading. The title of a short text belongs to what it says. */
function wordsOf(note: AnalyzedNote): ReadonlySet<number> {
  const { terms, titleLength, passages } = note
  const title = stemsOf(terms.subarray(0, titleLength))
  const firstEnd = passages[0]?.termsEnd ?? titleLength
  const isHeading = terms.subarray(titleLength, firstEnd).every((term) => title.has(stemOf(term)))
  // Two copies are often saved on two days.
  const end = fieldsStart(note)
  const text = stemsOf(terms.subarray(isHeading ? firstEnd : titleLength, end))
  return text.size >= shortText ? text : stemsOf(terms.subarray(0, end))
}

const shortText = 8

function stemsOf(terms: Uint32Array): Set<number> {
  return new Set(Array.from(terms, stemOf))
}
