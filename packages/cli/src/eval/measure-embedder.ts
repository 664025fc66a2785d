/** Asks the engine the questions of a labelled set with one embedder, with each weight of meaning, in a directory that is removed afterwards. */
import type { MemoryEmbedder } from '@agentm/memory'
import { Tier } from '@agentm/storage-seam'
import type { Workspace } from '@agentm/workspace'
import { inTrial, type Trial } from './in-trial.ts'
import type { LabelledSet } from './labelled-set.ts'
import { EmbedderIncompleteError } from './measure-recall.ts'
import { type Scores, scoresOf } from './pure/scores.ts'

export interface EmbedderMeasure {
  readonly workspace: Pick<Workspace, 'trial'>
  /** Absent for words alone. */
  readonly embedder?: MemoryEmbedder
  /** `undefined` for the weight that the embedder has of its own. */
  readonly weights: readonly (number | undefined)[]
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number, what: 'texts' | 'questions') => void
}

const depth = 10

export interface MeasuredWeight {
  readonly scores: readonly Scores[]
  /** The highest cosine of a wrong note, for each question with one. */
  readonly wrong: readonly number[]
}

/** For each weight, the scores of the questions in their order. */
export async function measureEmbedder(set: LabelledSet, measure: EmbedderMeasure): Promise<readonly MeasuredWeight[]> {
  const { workspace, embedder } = measure
  const dial = embedder === undefined ? undefined : new Dial(embedder)
  const how = dial === undefined ? { wordsOnly: true } : { embedder: dial }
  return inTrial(set.corpus, { workspace, ...how }, async (trial, idOf) => {
    await prepare(trial, measure)
    const measured: MeasuredWeight[] = []
    for (const weight of measure.weights) {
      dial?.turnTo(weight)
      measured.push(await askAll({ set, trial, idOf, asked: measured.length * set.queries.length }, measure))
    }
    return measured
  })
}

async function prepare({ memory }: Trial, { signal, onProgress }: EmbedderMeasure): Promise<void> {
  await memory.reindex(Tier.LOCAL_INDEX)
  const progress = (done: number, total: number) => onProgress(done, total, 'texts')
  const { waiting, refused, failure } = await memory.embedPending({ signal, onProgress: progress })
  signal.throwIfAborted()
  if (waiting > refused) throw new EmbedderIncompleteError(waiting, failure)
}

interface Asking {
  readonly set: LabelledSet
  readonly trial: Trial
  readonly idOf: ReadonlyMap<string, string>
  /** How many questions were asked with other weights. */
  readonly asked: number
}

async function askAll(
  { set: { queries }, trial, idOf, asked }: Asking,
  { embedder, weights, signal, onProgress }: EmbedderMeasure,
): Promise<MeasuredWeight> {
  const scores: Scores[] = []
  const wrong: number[] = []
  for (const question of queries) {
    signal.throwIfAborted()
    const { results, freshness } = await trial.memory.recall({ text: question.text, k: depth, floor: 'off' })
    // The figures would be those of words, under the name of the embedder.
    if (embedder !== undefined && freshness.notice !== undefined) throw new EmbedderIncompleteError(1, freshness.notice)
    scores.push(
      scoresOf(
        results.map(({ key = '' }) => idOf.get(key) ?? key),
        question,
      ),
    )
    onProgress(asked + scores.length, weights.length * queries.length, 'questions')
  }
  return { scores, wrong }
}

/** The same embedder with a weight that can be changed. It asks for the vector of each question once. */
class Dial implements MemoryEmbedder {
  readonly name: string
  readonly dimensions: number
  weight?: number
  readonly #embedder: MemoryEmbedder
  readonly #questions = new Map<string, ArrayLike<number>>()

  constructor(embedder: MemoryEmbedder) {
    this.#embedder = embedder
    this.name = embedder.name
    this.dimensions = embedder.dimensions
    this.turnTo(embedder.weight)
  }

  turnTo(weight = this.#embedder.weight): void {
    if (weight === undefined) delete this.weight
    else this.weight = weight
  }

  async embed(texts: readonly string[], use: 'question' | 'document' = 'document', signal?: AbortSignal) {
    const [text = ''] = texts
    if (use === 'document' || texts.length > 1) return this.#embedder.embed(texts, use, signal)
    const known = this.#questions.get(text)
    if (known !== undefined) return [known]
    const made = await this.#embedder.embed(texts, use, signal)
    if (made[0] !== undefined) this.#questions.set(text, made[0])
    return made
  }
}
