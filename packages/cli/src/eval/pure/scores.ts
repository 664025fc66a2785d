/** How well one ranking answers one question, by the usual measures. Each is between 0 and 1. */
import type { LabelledQuestion } from '../labelled-set.ts'

export const measures = ['recallAt1', 'recallAt5', 'recallAt10', 'mrr', 'ndcgAt10'] as const

export type Measure = (typeof measures)[number]

export type Scores = Readonly<Record<Measure, number>>

/** The names of the measures in tables. */
export const measureNames: Readonly<Record<Measure, string>> = {
  recallAt1: 'R@1',
  recallAt5: 'R@5',
  recallAt10: 'R@10',
  mrr: 'MRR',
  ndcgAt10: 'nDCG@10',
}

export function scoresOf(
  ranked: readonly string[],
  { gold, grades = {} }: Pick<LabelledQuestion, 'gold' | 'grades'>,
): Scores {
  const wanted = new Set(gold)
  const recallAt = (k: number) => ranked.slice(0, k).filter((id) => wanted.has(id)).length / wanted.size
  const first = ranked.findIndex((id) => wanted.has(id))
  const gradeOf = (id: string) => (wanted.has(id) ? (grades[id] ?? 1) : 0)
  const best = Array.from(wanted, gradeOf).toSorted((a, b) => b - a)
  return {
    recallAt1: recallAt(1),
    recallAt5: recallAt(5),
    recallAt10: recallAt(10),
    mrr: first === -1 ? 0 : 1 / (first + 1),
    ndcgAt10: gain(ranked.map(gradeOf)) / gain(best),
  }
}

/** The grades of the first ten, each counting less than the one before. */
function gain(grades: readonly number[]): number {
  return grades.slice(0, 10).reduce((sum, grade, i) => sum + grade / Math.log2(i + 2), 0)
}

export function meanScores(all: readonly Scores[]): Scores {
  const mean = (key: Measure) => all.reduce((sum, scores) => sum + scores[key], 0) / all.length
  return {
    recallAt1: mean('recallAt1'),
    recallAt5: mean('recallAt5'),
    recallAt10: mean('recallAt10'),
    mrr: mean('mrr'),
    ndcgAt10: mean('ndcgAt10'),
  }
}
