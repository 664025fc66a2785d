/** A measurement of recall as tables for a person. */
import { type ComparedRow, type RecallRun, type RunRow } from './recall-run.ts'
import { measureNames, measures } from './scores.ts'

export function runTable({ data, notes, embedder, reranker, rows }: RecallRun): string {
  const models = [
    ...(embedder === undefined ? [] : [`embedder ${embedder}`]),
    ...(reranker === undefined ? [] : [`reranker ${reranker}`]),
  ]
  const head = `${data}: ${notes.toLocaleString('en')} notes, ${models.length === 0 ? 'words and time only' : models.join(', ')}`
  const small = 'Below each mean: its 95 % confidence interval.'
  return [head, '', ...aligned([headings, ...rows.flatMap(rowsOf)]), '', small].join('\n')
}

export function comparisonTable(rows: readonly ComparedRow[]): string {
  if (rows.length === 0) return 'The earlier run has none of these questions, so nothing can be compared.'
  const head = `Compared with the earlier run, over the ${rows[0]?.questions ?? 0} questions of both:`
  const cells = rows.flatMap(({ kind, questions, changes }) => [
    [nameOf(kind), String(questions), ...measures.map((measure) => signed(changes[measure].by))],
    ['', '', ...measures.map((measure) => chanceText(changes[measure].chance))],
  ])
  return [head, '', ...aligned([headings, ...cells]), '', chanceHelp].join('\n')
}

const chanceHelp =
  'Below each change: the probability p of a change at least this large by chance. Below 0.05, a change is usually called significant. ' +
  'Of twenty changes, one is below 0.05 by chance alone.'

const headings = ['', 'questions', ...measures.map((measure) => measureNames[measure])]

function rowsOf({ kind, questions, means, intervals }: RunRow): readonly (readonly string[])[] {
  const around = measures.map((measure) => `${short(intervals[measure].low)}–${short(intervals[measure].high)}`)
  return [
    [nameOf(kind), String(questions), ...measures.map((measure) => means[measure].toFixed(3))],
    ['', '', ...around],
  ]
}

function nameOf(kind: string | undefined): string {
  return kind ?? 'all'
}

function chanceText(chance: number): string {
  return chance < 0.001 ? 'p <.001' : `p ${short(chance)}`
}

function signed(change: number): string {
  const written = short(Math.abs(change))
  if (written === '.000') return written
  return change < 0 ? `−${written}` : `+${written}`
}

/** Three digits without the zero, so that an interval fits into a column. */
function short(share: number): string {
  return share.toFixed(3).replace(/^0/, '')
}

/** The first column starts at the left, the others end at the right. */
function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const first = Math.max(...rows.map(([name = '']) => name.length))
  return rows.map(([name = '', ...cells]) =>
    (name.padEnd(first) + cells.map((cell) => cell.padStart(13)).join('')).trimEnd(),
  )
}
