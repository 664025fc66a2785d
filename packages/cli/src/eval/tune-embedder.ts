/** Measures words alone, the embedder in use and a candidate with the same questions, made from the user's own notes. */
import type { MemoryEmbedder } from '@agentm/memory'
import type { Workspace } from '@agentm/workspace'
import type { LabelledNote } from './labelled-set.ts'
import { measureEmbedder, type MeasuredWeight } from './measure-embedder.ts'
import { chooseWeight, nearFrom } from './pure/choose-weight.ts'
import { selfQuestions } from './pure/self-questions.ts'
import { type TunedSystem, type Tuning, type Verdict, verdictOf } from './pure/tuning-table.ts'

export interface TuneOptions {
  readonly workspace: Pick<Workspace, 'trial'>
  readonly candidate: MemoryEmbedder
  /** Absent if it is the candidate, or if none is in use. */
  readonly inUse?: MemoryEmbedder
  readonly notes: number
  readonly questions: number
  readonly signal: AbortSignal
  readonly onProgress: (doing: string, done: number, total: number) => void
}

export interface Tuned extends Tuning {
  readonly notes: number
  /** How many questions are needed to measure anything. */
  readonly fewest: number
  /** Of the candidate; absent if its cosines count as they are, or if the notes are too few. */
  readonly weight?: number
  /** Of the candidate: from which cosine a note may answer without any common word. */
  readonly near?: number
  readonly verdict: Verdict
  /** The name of what it was compared with. */
  readonly against: string
  /** The probability of a difference at least this large by chance. */
  readonly chance?: number
}

const weights = [0.1, 0.2, 0.35, 0.5, 0.75, 1]
const fewest = 20
const wordsName = 'words only'

export async function tuneEmbedder(all: readonly LabelledNote[], options: TuneOptions): Promise<Tuned> {
  const { candidate, inUse } = options
  const set = selfQuestions(all, options)
  const made = { notes: set.corpus.length, kinds: set.queries.map(({ kind }) => kind), fewest }
  if (set.queries.length < fewest) return { ...made, systems: [], verdict: 'unclear', against: wordsName }
  const ask = async (embedder: MemoryEmbedder | undefined, dial: readonly (number | undefined)[]) =>
    measureEmbedder(set, {
      ...options,
      weights: dial,
      ...(embedder === undefined ? {} : { embedder }),
      onProgress: (done, total, what) =>
        options.onProgress(
          `${embedder?.name ?? 'Words only'}, ${what === 'texts' ? 'making vectors' : 'asking questions'}`,
          done,
          total,
        ),
    })
  const [words] = await ask(undefined, [undefined])
  const others: TunedSystem[] = [{ name: wordsName, scores: words?.scores ?? [] }]
  if (inUse !== undefined) {
    const [now] = await ask(inUse, [undefined])
    others.push({ name: `${inUse.name}, in use`, scores: now?.scores ?? [] })
  }
  const { system, measured } = await tunedSystem(candidate, ask)
  const other = others.at(-1) ?? system
  const { verdict, chance } = verdictOf(system, other)
  return {
    ...made,
    systems: [...others, system],
    verdict,
    against: other.name,
    chance,
    ...measured,
  }
}

async function tunedSystem(
  candidate: MemoryEmbedder,
  ask: (embedder: MemoryEmbedder, dial: readonly (number | undefined)[]) => Promise<readonly MeasuredWeight[]>,
): Promise<{ readonly system: TunedSystem; readonly measured?: { readonly weight: number; readonly near: number } }> {
  const { name } = candidate
  if (candidate.weight === undefined) {
    const [now] = await ask(candidate, [undefined])
    return { system: { name, scores: now?.scores ?? [] } }
  }
  const measured = await ask(candidate, weights)
  const byWeight = weights.map((weight, i) => ({ weight, scores: measured[i]?.scores.map(({ mrr }) => mrr) ?? [] }))
  const { weight, halves } = chooseWeight(byWeight, candidate.weight)
  // Each half of the questions with the weight that the other half chose, so that the figures are not better than they will be.
  const columns = halves.map((each) => measured[weights.indexOf(each)]?.scores ?? [])
  const scores = (columns[0] ?? []).map((_, i) => columns[i % 2]?.[i]).filter((each) => each !== undefined)
  // With the largest weight, the notes that are nearest in meaning are among the results.
  const near = nearFrom(measured.at(-1)?.wrong ?? [])
  return { system: { name: `${name}, weight ${weight}`, scores }, measured: { weight, near } }
}
