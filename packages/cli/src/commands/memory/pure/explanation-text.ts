/** Says in plain words why results have their places, and what was left out. */
import type { CountedWord, Explanation, LeftOut, RecallResult } from '@agentm/memory/reader'
import { oneLine } from '@agentm/memory/shown'

/** The reasons for one result, one per line. */
export function reasonLines(result: RecallResult, explanation: Explanation): readonly string[] {
  const { words, times, prefersNewer, results } = explanation
  const reasons = results.find(({ id }) => id === result.id)
  if (reasons === undefined) return []
  const counted = new Map(words.map((each) => [each.word, each]))
  const { inPassage, elsewhere, absent, kindWeight, linked, placeBefore } = reasons
  const named = (some: readonly string[]) => listed(some.flatMap((word) => counted.get(word) ?? []))
  const found = [
    ...(inPassage.length === 0 ? [] : [`in the title or the line above: ${named(inPassage)}`]),
    ...(elsewhere.length === 0 ? [] : [`elsewhere in it: ${named(elsewhere)}`]),
    ...(absent.length === 0 ? [] : [`not in it: ${absent.map(quoted).join(', ')}`]),
  ]
  return [
    `words: ${inPassage.length + elsewhere.length === 0 ? 'it has none of the words of the question' : found.join('; ')}`,
    `meaning: ${meaningText(result)}`,
    ...(times.length === 0 ? [] : [`time: ${timeText(result)}`]),
    ...(prefersNewer ? ['newer first: the question asks for the present state'] : []),
    ...(kindWeight === 1
      ? []
      : [`kind: what agents and programs printed counts ${kindWeight} times as much as a note`]),
    ...(linked === undefined ? [] : [`link: another result links to it, which adds ${linked.toFixed(2)} to its score`]),
    `answer: ${percent(result.probability)} likely`,
    ...(placeBefore === undefined ? [] : [`reranker: moved here from place ${placeBefore}`]),
  ]
}

/** What was not shown, and how to see it. */
export function leftOutLines(explanation: Explanation, { belowFloor, routine }: LeftOut): readonly string[] {
  const { leftOut, more } = explanation
  const poor = leftOut.filter(({ why }) => why === 'matches too little')
  const unnamed = belowFloor - poor.length
  return [
    ...leftOut.map(({ title, key, id, why, probability }) => {
      const name = oneLine(title === '' ? (key ?? id) : title, mostOfTitle)
      if (why === 'same text') return `the same text as a result above: ${name}`
      return `${percent(probability)} likely to answer the question: ${name}`
    }),
    ...(unnamed > 0 ? [`${unnamed} more that are less likely`] : []),
    ...(poor.length > 0 ? ['To see what is unlikely: --floor off'] : []),
    ...(more > 0 ? [`${more} more that match less well. To see more: --k N`] : []),
    ...(routine > 0 ? [`${routine} routine records of programs. To see them: --routine`] : []),
  ]
}

const mostOfTitle = 100

/** How rare the words are, once for all results. */
export function rarityLine({ words, notes }: Explanation): string {
  if (words.length === 0) return 'No word of the question counts, because all of them are in nearly every question.'
  const [known, unknown] = [words.filter((word) => word.notes > 0), words.filter((word) => word.notes === 0)]
  const rarest = known.toSorted((a, b) => a.notes - b.notes)
  return [
    ...(known.length === 0 ? [] : [`Words that few of the ${notes} notes have count most: ${listed(rarest)}.`]),
    ...(unknown.length === 0 ? [] : [`In no note: ${unknown.map(({ word }) => quoted(word)).join(', ')}.`]),
  ].join(' ')
}

function listed(words: readonly CountedWord[]): string {
  return words.map(({ word, notes }) => `${quoted(word)} (in ${notes})`).join(', ')
}

function quoted(word: string): string {
  return `"${oneLine(word)}"`
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function meaningText({ similarity }: RecallResult): string {
  if (similarity === undefined) return 'not compared, so only the words count'
  if (similarity <= 0) return 'not near that of the question'
  return `${similarity.toFixed(2)} of 1 near that of the question`
}

function timeText({ time, createdAt }: RecallResult): string {
  if (createdAt === 0) return 'nothing says when it was written'
  if (time === 1) return 'written at the time that the question names'
  if (time > 0.05) return `written near the time that the question names (${time.toFixed(2)} of 1)`
  return 'not written at the time that the question names'
}
