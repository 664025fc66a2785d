/** What embedders find of a person's own notes, as a table and in words. */
import { chanceOf, intervalOf } from './intervals.ts'
import { selfKinds } from './self-questions.ts'
import type { Scores } from './scores.ts'

export interface TunedSystem {
  readonly name: string
  /** One per question, in their order. */
  readonly scores: readonly Scores[]
}

export interface Tuning {
  /** The kind of each question, in their order. */
  readonly kinds: readonly string[]
  readonly systems: readonly TunedSystem[]
}

export function tuningTable({ kinds, systems }: Tuning): string {
  const present = selfKinds.filter((kind) => kinds.includes(kind))
  const head = ['', 'R@5', 'MRR', ...present]
  const rows = systems.flatMap(({ name, scores }) => {
    const all = [scores.map(({ recallAt5 }) => recallAt5), scores.map(({ mrr }) => mrr)]
    const byKind = present.map((kind) => all[0]?.filter((_, i) => kinds[i] === kind) ?? [])
    const around = [...all, ...byKind].map((values) => {
      const { low, high } = intervalOf(values)
      return `${short(low)}–${short(high)}`
    })
    return [
      [name, ...[...all, ...byKind].map((values) => mean(values).toFixed(3))],
      ['', ...around],
    ]
  })
  const first = Math.max(...rows.map(([name = '']) => name.length), 20) + 2
  const lines = [head, ...rows].map(([name = '', ...cells]) =>
    (name.padEnd(first) + cells.map((cell) => cell.padStart(13)).join('')).trimEnd(),
  )
  return [...lines, '', explained].join('\n')
}

const explained =
  'R@5: the share of questions whose note is among the first five results; for each kind of question, too. MRR: 1 if the note is first, ' +
  '1/2 if it is second, and so on. Below each figure: its 95 % confidence interval.'

export type Verdict = 'better' | 'worse' | 'unclear'

/** Compares by MRR, which sees every change of place. */
export function verdictOf(
  one: TunedSystem,
  other: TunedSystem,
): { readonly verdict: Verdict; readonly chance: number } {
  const differences = one.scores.map(({ mrr }, i) => mrr - (other.scores[i]?.mrr ?? 0))
  const chance = chanceOf(differences)
  const by = mean(differences)
  return { verdict: chance >= 0.05 ? 'unclear' : by > 0 ? 'better' : 'worse', chance }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function short(share: number): string {
  return share.toFixed(3).replace(/^0/, '')
}
