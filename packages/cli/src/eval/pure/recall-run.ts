/** One measurement of recall as data: what `--json` prints, and what a later measurement is compared with. */
import { z } from 'zod'
import type { LabelledSet } from '../labelled-set.ts'
import { type Interval, chanceOf, intervalOf } from './intervals.ts'
import { type DataFile, parsedJson } from './parsed-data.ts'
import { meanScores, type Measure, measures, type Scores } from './scores.ts'

const share = z.number().min(0).max(1)
const scoresSchema = z.object({ recallAt1: share, recallAt5: share, recallAt10: share, mrr: share, ndcgAt10: share })
const runSchema = z.looseObject({
  questions: z.array(z.looseObject({ id: z.string(), kind: z.string(), scores: scoresSchema })),
})

/** How well one question was answered. */
export interface AnsweredQuestion {
  readonly id: string
  readonly kind: string
  readonly scores: Scores
}

/** The names of the models that took part. */
export interface Models {
  readonly embedder?: string
  readonly reranker?: string
}

export interface RecallRun extends Models {
  readonly data: string
  readonly notes: number
  readonly rows: readonly RunRow[]
  readonly questions: readonly AnsweredQuestion[]
}

/** The means over all questions, or over those of one kind. */
export interface RunRow {
  /** Absent for all questions. */
  readonly kind?: string
  readonly questions: number
  readonly means: Scores
  /** The 95 % confidence intervals of the means. */
  readonly intervals: Readonly<Record<Measure, Interval>>
}

export function recallRun(
  { name, corpus }: Pick<LabelledSet, 'name' | 'corpus'>,
  { questions, embedder, reranker }: Pick<RecallRun, 'questions' | keyof Models>,
): RecallRun {
  const rows = byKind(questions).map(([kind, some]) => ({ ...kind, ...rowOf(some.map(({ scores }) => scores)) }))
  const models = { ...(embedder === undefined ? {} : { embedder }), ...(reranker === undefined ? {} : { reranker }) }
  return { data: name, notes: corpus.length, ...models, rows, questions }
}

/** Reads the questions of an earlier run. The rest of the file is not needed. */
export function parseRun(file: DataFile): readonly AnsweredQuestion[] {
  return parsedJson(file, runSchema).questions
}

/** The change of one mean since an earlier run, over the questions that both have. */
export interface Change {
  readonly by: number
  /** The probability of a change at least this large by chance. */
  readonly chance: number
}

export interface ComparedRow {
  readonly kind?: string
  readonly questions: number
  readonly changes: Readonly<Record<Measure, Change>>
}

export function compareRuns(
  now: readonly AnsweredQuestion[],
  before: readonly AnsweredQuestion[],
): readonly ComparedRow[] {
  const earlier = new Map(before.map(({ id, scores }) => [id, scores]))
  const both = now.flatMap(({ id, kind, scores }) => {
    const old = earlier.get(id)
    return old === undefined ? [] : [{ kind, scores, old }]
  })
  if (both.length === 0) return []
  return byKind(both).map(([kind, pairs]) => ({
    ...kind,
    questions: pairs.length,
    changes: ofEach((measure) => changeOf(pairs.map(({ scores, old }) => scores[measure] - old[measure]))),
  }))
}

function changeOf(differences: readonly number[]): Change {
  return {
    by: differences.reduce((sum, difference) => sum + difference, 0) / differences.length,
    chance: chanceOf(differences),
  }
}

/** All questions, then those of each kind, unless there is only one kind. */
function byKind<Q extends { readonly kind: string }>(
  questions: readonly Q[],
): readonly (readonly [{ readonly kind?: string }, readonly Q[]])[] {
  const kinds = [...new Set(questions.map(({ kind }) => kind))].toSorted()
  const rows = kinds.map((kind) => [{ kind }, questions.filter((question) => question.kind === kind)] as const)
  return [[{}, questions], ...(kinds.length > 1 ? rows : [])]
}

function rowOf(scores: readonly Scores[]): Omit<RunRow, 'kind'> {
  const intervals = ofEach((measure) => intervalOf(scores.map((each) => each[measure])))
  return { questions: scores.length, means: meanScores(scores), intervals }
}

function ofEach<T>(valueOf: (measure: Measure) => T): Readonly<Record<Measure, T>> {
  return Object.fromEntries(measures.map((measure) => [measure, valueOf(measure)])) as Record<Measure, T>
}
