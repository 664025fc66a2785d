/** Notes in plain words. */
import type { RecalledResult, Recalled } from '../../../src/contract/memory.ts'

export function projectWords(project: string): string {
  return project === '_global' ? 'no project' : project
}

export function authorWords(writtenBy: 'person' | 'agent' | undefined): string {
  if (writtenBy === 'person') return 'written by a person'
  return writtenBy === 'agent' ? 'written by an agent' : ''
}

/** One part of a score, as a bar with words. `share` is absent where there is nothing to measure. */
export interface PartWords {
  readonly name: string
  readonly share?: number
  readonly words: string
}

const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Every part of the score of a result, in the order in which they count. */
export function partsInWords({ parts, createdAt }: RecalledResult, asked: Recalled): readonly PartWords[] {
  const { words, together, meaning, recency, time } = parts
  return [
    { name: 'Words', share: words, words: wordsText(parts) },
    {
      name: 'Together',
      share: together,
      words:
        together > 0
          ? `${percent(together)} of what the question asks stands close together in it.`
          : 'No words of the question stand close together in it.',
    },
    {
      name: 'Meaning',
      ...(meaning === undefined ? {} : { share: Math.max(0, meaning) }),
      words: meaningText(meaning),
    },
    ...(asked.namesTime ? [{ name: 'Time', share: time, words: timeText(time, createdAt) }] : []),
    { name: 'Age', share: recency, words: ageText(recency, asked.prefersNewer) },
    ...adjustments(parts),
  ]
}

function wordsText({ inPassage, elsewhere, absent }: RecalledResult['parts']): string {
  const found = [
    ...(inPassage.length === 0 ? [] : [`In the title or the marked passage: ${inPassage.map(quoted).join(', ')}.`]),
    ...(elsewhere.length === 0 ? [] : [`Elsewhere in it: ${elsewhere.map(quoted).join(', ')}.`]),
    ...(absent.length === 0 ? [] : [`Not in it: ${absent.map(quoted).join(', ')}.`]),
  ]
  return inPassage.length + elsewhere.length === 0 ? 'It has none of the words of the question.' : found.join(' ')
}

function meaningText(meaning: number | undefined): string {
  if (meaning === undefined) return 'Not compared, so only the words count.'
  return meaning <= 0 ? 'Not near that of the question.' : `${meaning.toFixed(2)} of 1 near that of the question.`
}

function timeText(time: number, createdAt: number): string {
  if (createdAt === 0) return 'Nothing says when it was written.'
  if (time === 1) return 'Written at the time that the question names.'
  return time > 0.05
    ? 'Written near the time that the question names.'
    : 'Not written at the time that the question names.'
}

function ageText(recency: number, prefersNewer: boolean): string {
  const how = recency > 0.9 ? 'Confirmed lately.' : recency > 0.4 ? 'Some time old.' : 'Old.'
  return prefersNewer
    ? `${how} The question asks for the present state, so newer notes are put first.`
    : `${how} Age only decides between equals, because the question asks for no present state.`
}

function adjustments({ kindWeight, linked, placeBefore }: RecalledResult['parts']): readonly PartWords[] {
  return [
    ...(kindWeight === 1
      ? []
      : [
          {
            name: 'Kind',
            share: kindWeight,
            words: `Counts ${kindWeight} times as much as a note, because of what it is.`,
          },
        ]),
    ...(linked === undefined
      ? []
      : [
          {
            name: 'Link',
            share: Math.min(1, linked),
            words: `A better result links to it, which adds ${linked.toFixed(2)}.`,
          },
        ]),
    ...(placeBefore === undefined ? [] : [{ name: 'Reranker', words: `Moved here from place ${placeBefore}.` }]),
  ]
}

/** From here on, something is worth reading. It is the limit below which recall shows nothing. */
const leastLikely = 0.12

/** The order stays: what stands behind an unlikely answer is no better for it. */
export function byLikelihood(results: readonly RecalledResult[]): {
  readonly likely: readonly RecalledResult[]
  readonly unlikely: readonly RecalledResult[]
} {
  const last = results.findLastIndex(({ parts }) => parts.probability >= leastLikely)
  return { likely: results.slice(0, last + 1), unlikely: results.slice(last + 1) }
}

export function likelyWords(probability: number): string {
  return `${percent(probability)} likely to answer`
}

/** How rare the words are, once for all results. */
export function rarityWords({ words, notes }: Pick<Recalled, 'words' | 'notes'>): string {
  if (words.length === 0) return 'No word of the question counts, because all of them are in nearly every question.'
  const known = words.filter((word) => word.notes > 0).toSorted((a, b) => a.notes - b.notes)
  const unknown = words.filter((word) => word.notes === 0)
  const some = known.map(({ word, notes: count }) => `${quoted(word)} (in ${count.toLocaleString('en')})`).join(', ')
  return [
    ...(known.length === 0
      ? []
      : [`Words that few of the ${notes.toLocaleString('en')} notes have count most: ${some}.`]),
    ...(unknown.length === 0 ? [] : [`In no note: ${unknown.map(({ word }) => quoted(word)).join(', ')}.`]),
  ].join(' ')
}

function quoted(word: string): string {
  return `“${word}”`
}
