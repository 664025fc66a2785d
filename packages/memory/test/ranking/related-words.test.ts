import { describe, expect, it } from 'vitest'
import { analyzeNote, analyzeQuery, rankLexical } from '../../src/ranking/pure/rank-lexical.ts'
import { questionTerms } from '../../src/ranking/pure/question-terms.ts'
import { relativesIn, type RelatedWords } from '../../src/ranking/pure/related-words.ts'
import { stem } from '../../src/ranking/pure/stem.ts'

const lists: Record<string, readonly (readonly [string, number])[]> = {
  doctor: [
    ['physician', 0.8],
    ['doctors', 0.9],
    ['nurse', 0.5],
  ],
  rose: [['flower', 0.8]],
}
const related: RelatedWords = (word) => (lists[word] ?? []).map(([other, likeness]) => ({ word: other, likeness }))

describe('words that stand for those of a question', () => {
  const notes = {
    physician: 'A physician came.',
    doctor: 'A doctor came.',
    nurse: 'A nurse came.',
    flower: 'A flower.',
  }

  it('find a note without any word of the question, and count less than the word itself', () => {
    const score = scoresOf('Which doctor came', notes, related)
    expect(score.physician).toBeGreaterThan(scoresOf('Which doctor came', notes).physician)
    expect(score.doctor).toBeGreaterThan(score.physician)
  })

  it('add nothing where a note has the word itself', () => {
    const both = { both: 'A doctor, a physician.', other: 'A nurse.' }
    expect(scoresOf('doctor', both, related).both).toBe(scoresOf('doctor', both).both)
  })

  it('need not be as near if no note has the word itself', () => {
    expect(stemsFor('doctor', { ...corpusOf(notes) })).toEqual([stem('physician')])
    const { doctor: _, ...others } = notes
    expect(stemsFor('doctor', corpusOf(others))).toEqual([stem('physician'), stem('nurse')])
  })

  it('are not looked for in place of a name, or for a long prompt', () => {
    expect(stemsFor('Who is Rose', corpusOf(notes))).toEqual([])
    expect(stemsFor('Who picked a rose', corpusOf(notes))).toEqual([stem('flower')])
    const long = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ')
    expect(stemsFor(`a rose ${long}`, corpusOf(notes))).toEqual([])
  })

  it('count less if they are more common than the word', () => {
    const shareOf = (corpus: ReturnType<typeof corpusOf>) =>
      relativesIn(questionTerms('doctor', corpus), corpus, related)
        .get('doctor')
        ?.find(({ stem: each }) => each === 'physician')?.share ?? 0
    const common = { a: 'physician', b: 'physician', c: 'physician', d: 'doctor', e: 'tea', f: 'milk' }
    expect(shareOf(corpusOf(common))).toBeLessThan(shareOf(corpusOf(notes)))
  })
})

function stemsFor(question: string, corpus: ReturnType<typeof corpusOf>) {
  return [...relativesIn(questionTerms(question, corpus), corpus, related).values()].flat().map((each) => each.stem)
}

function corpusOf(notes: Record<string, string>) {
  const texts = Object.values(notes).map((text) => text.toLowerCase())
  const holders = (wanted: string) =>
    texts.filter((text) => (text.match(/[a-z]+/g) ?? []).some((word) => stem(word) === wanted)).length
  return { documents: texts.length, averageLength: 2, documentFrequency: holders }
}

function scoresOf<K extends string>(
  question: string,
  notes: Record<K, string>,
  words?: RelatedWords,
): Record<K, number> {
  const query = analyzeQuery(question, corpusOf(notes), { related: words })
  const scores = Object.entries<string>(notes).map(([name, text]) => {
    return [name, rankLexical(query, analyzeNote({ title: '', text })).score]
  })
  return Object.fromEntries(scores) as Record<K, number>
}
