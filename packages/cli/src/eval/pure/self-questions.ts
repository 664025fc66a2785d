/**
 * Questions made from a person's own notes, without a model: a part of a note is taken away and asked for, and the note without it is the
 * right answer. So nobody has to label anything, and every language works.
 */
import { passagesOf, termsOf } from '@agentm/memory/ranking'
import { contentHash } from '@agentm/storage-seam'
import type { LabelledNote, LabelledQuestion, LabelledSet } from '../labelled-set.ts'

/** `title`: the title; `sentence`: a sentence of the text; `other words`: the words of a sentence that the rest of the note does not have. */
export const selfKinds = ['title', 'sentence', 'other words'] as const

type SelfKind = (typeof selfKinds)[number]

const fewestTerms = 3
const mostWords = 40
// What remains must be able to answer.
const fewestLeft = 12

/**
 * At most `questions` of at most `notes` notes. Which ones is decided by a hash, so the same notes always give the same set, and kinds take
 * turns.
 */
export function selfQuestions(
  all: readonly LabelledNote[],
  { notes, questions }: { readonly notes: number; readonly questions: number },
): LabelledSet {
  const drawn = all
    .map((note) => ({ note, order: contentHash(note.id) }))
    .toSorted((a, b) => (a.order < b.order ? -1 : 1))
    .slice(0, notes)
    .map(({ note }) => note)
  const queries: LabelledQuestion[] = []
  const corpus = drawn.map((note) => {
    const made = queries.length < questions ? questionOf(note, queries.length) : undefined
    if (made === undefined) return note
    queries.push({ id: note.id, text: made.question, gold: [note.id], kind: made.kind })
    return made.rest
  })
  return { name: 'your notes', corpus, queries }
}

interface Made {
  readonly kind: SelfKind
  readonly question: string
  /** The note without what is asked for. */
  readonly rest: LabelledNote
}

/** Of the kind whose turn it is, or else of the next one that this note allows. */
function questionOf(note: LabelledNote, turn: number): Made | undefined {
  const inTurn = selfKinds.map((_, i) => selfKinds[(turn + i) % selfKinds.length])
  for (const kind of inTurn) {
    const made = kind === 'title' ? fromTitle(note) : fromText(note, kind ?? 'sentence')
    if (made !== undefined) return made
  }
  return undefined
}

function fromTitle(note: LabelledNote): Made | undefined {
  const { title, text } = note
  const rest = text
    .split('\n')
    .filter((line) => plainOf(line) !== title.trim())
    .join('\n')
  if (termsOf(title).length < fewestTerms || termsOf(rest).length < fewestLeft) return undefined
  return { kind: 'title', question: title.trim(), rest: { ...note, title: '', text: rest } }
}

function fromText(note: LabelledNote, kind: 'sentence' | 'other words'): Made | undefined {
  const fences = fencesIn(note.text)
  const parts = passagesOf(note.text).filter(({ start }) => !fences.some(([from, to]) => start >= from && start < to))
  const first =
    parts.length === 0 ? 0 : Number.parseInt(contentHash(note.text.toWellFormed()).slice(0, 8), 16) % parts.length
  for (const { start, end } of [...parts.slice(first), ...parts.slice(0, first)]) {
    const passage = note.text.slice(start, end)
    if (/^\s*(?:#|\||>|```|---)/.test(passage)) continue
    const text = note.text.slice(0, start) + note.text.slice(end)
    const sentence = firstSentence(plainOf(passage))
    const question = kind === 'sentence' ? sentence : otherWords(sentence, `${note.title}\n${text}`)
    if (termsOf(question).length < fewestTerms || termsOf(text).length < fewestLeft) continue
    return { kind, question, rest: { ...note, text } }
  }
  return undefined
}

/** The words of the sentence that the remaining text does not contain in any form, in their order. */
function otherWords(sentence: string, rest: string): string {
  const known = new Set(termsOf(rest).map(({ stem }) => stem))
  const words = wordsOf(sentence).filter((word) => {
    const terms = termsOf(word)
    return terms.length > 0 && terms.every(({ stem }) => !known.has(stem))
  })
  return words.join(' ')
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

function firstSentence(text: string): string {
  const [first] = Array.from(sentences.segment(text), ({ segment }) => segment.trim()).filter(
    (segment) => termsOf(segment).length >= fewestTerms,
  )
  const end = Array.from(words.segment(first ?? ''))
    .filter(({ isWordLike }) => isWordLike)
    .at(mostWords)?.index
  return (first ?? '').slice(0, end).trim()
}

function wordsOf(text: string): readonly string[] {
  return Array.from(words.segment(text))
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment)
}

/** Without the marks of Markdown, as a person would ask it. */
function plainOf(text: string): string {
  return text
    .replaceAll(/!?\[\[([^\]|]*\|)?([^\]]*)\]\]/g, '$2')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*(?:[-*+#>]+|\d+[.)])\s+(?:\[[ xX]\]\s+)?/gm, '')
    .replaceAll(/[*_`~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Where blocks of code begin and end. */
function fencesIn(text: string): readonly (readonly [number, number])[] {
  return Array.from(text.matchAll(/^```[\s\S]*?(?:^```|(?![\s\S]))/gm), (match) => [
    match.index,
    match.index + match[0].length,
  ])
}
