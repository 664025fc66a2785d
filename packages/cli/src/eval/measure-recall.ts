/** Asks the engine every question of a labelled set, over files in temporary directories that are removed afterwards. */
import { Tier } from '@agentm/storage-seam'
import type { Workspace } from '@agentm/workspace'
import { inTrial, type Trial } from './in-trial.ts'
import type { LabelledNote, LabelledQuestion, LabelledSet } from './labelled-set.ts'
import type { AnsweredQuestion, Models } from './pure/recall-run.ts'
import { scoresOf } from './pure/scores.ts'

export interface MeasureOptions {
  /** Leaves out the embedder and the reranker. */
  readonly wordsOnly: boolean
  /** Asks every question of all notes together, even if the set names the notes of each question. */
  readonly pooled: boolean
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number, what: 'texts' | 'questions') => void
}

export interface Measured extends Models {
  readonly questions: readonly AnsweredQuestion[]
  /** How many texts the embedder refused. They were found by their words only. */
  readonly refused: number
  /** What recall said about its answers, such as a reranker that is late, and of how many. */
  readonly notices: ReadonlyMap<string, number>
}

// As deep as recall ranks without opening more files than for an answer of ten.
const depth = 40

export async function measureRecall(
  { corpus, queries }: LabelledSet,
  workspace: Pick<Workspace, 'trial'>,
  options: MeasureOptions,
): Promise<Measured> {
  const seen = new Map<LabelledQuestion, AnsweredQuestion>()
  const notices = new Map<string, number>()
  let models: Models = {}
  let refused = 0
  for (const [among, asked] of byHaystack(queries, options.pooled)) {
    const notes = among === undefined ? corpus : corpus.filter(({ id }) => among.has(id))
    models = await inTrial(notes, { workspace, wordsOnly: options.wordsOnly }, async (trial, idOf) => {
      refused += await prepare(trial, options)
      for (const question of asked) {
        options.signal.throwIfAborted()
        const { keys, notice } = await rankedKeys(trial, question, notes)
        const ranked = keys.map((key) => idOf.get(key) ?? key)
        const { id, kind } = question
        seen.set(question, { id, kind, scores: scoresOf(ranked, question) })
        if (notice !== undefined) notices.set(notice, (notices.get(notice) ?? 0) + 1)
        options.onProgress(seen.size, queries.length, 'questions')
      }
      const { embedder, reranker } = trial
      return { ...(embedder === undefined ? {} : { embedder }), ...(reranker === undefined ? {} : { reranker }) }
    })
  }
  return { ...models, questions: queries.flatMap((question) => seen.get(question) ?? []), refused, notices }
}

/** The questions by the notes that they are asked of, so that each store is made once. */
function byHaystack(
  queries: readonly LabelledQuestion[],
  pooled: boolean,
): ReadonlyMap<LabelledQuestion['among'], readonly LabelledQuestion[]> {
  const groups = new Map<LabelledQuestion['among'], LabelledQuestion[]>()
  for (const question of queries) {
    const among = pooled ? undefined : question.among
    const group = groups.get(among) ?? []
    group.push(question)
    groups.set(among, group)
  }
  return groups
}

/** Makes the index and the vectors. Answers how many texts the embedder refused. */
async function prepare({ memory }: Trial, { signal, onProgress }: MeasureOptions): Promise<number> {
  await memory.reindex(Tier.LOCAL_INDEX)
  signal.throwIfAborted()
  const progress = (done: number, total: number) => onProgress(done, total, 'texts')
  const { waiting, refused, failure } = await memory.embedPending({ signal, onProgress: progress })
  signal.throwIfAborted()
  // The figures would be those of words, under the name of the embedder.
  if (waiting > refused) throw new EmbedderIncompleteError(waiting, failure)
  return refused
}

/** The ranking is measured without the floor, because the floor can hide right notes that are ranked well. */
async function rankedKeys(
  { memory }: Trial,
  { text, at }: LabelledQuestion,
  notes: readonly LabelledNote[],
): Promise<{ readonly keys: readonly string[]; readonly notice: string | undefined }> {
  const asked = at === undefined ? newestOf(notes) : Date.parse(at)
  const { results, freshness } = await memory.recall({
    text,
    k: depth,
    floor: 'off',
    ...(Number.isFinite(asked) ? { at: asked } : {}),
  })
  return { keys: results.map(({ key, id }) => key ?? id), notice: freshness.notice }
}

/** The question "last March" means what it meant to the person who wrote the notes. */
function newestOf(notes: readonly LabelledNote[]): number {
  return notes.reduce((newest, { at }) => Math.max(newest, at === undefined ? -Infinity : Date.parse(at)), -Infinity)
}

/** Not every text got a vector, so the figures would mix two kinds of search. */
export class EmbedderIncompleteError extends Error {
  override readonly name = 'EmbedderIncompleteError'
  readonly code = 'EMBEDDER_INCOMPLETE'
  constructor(waiting: number, failure: string | undefined) {
    super(
      `${waiting} texts have no vector${failure === undefined ? '' : `: ${failure}`}. Correct the embedder, or leave it out with --words-only.`,
    )
  }
}
