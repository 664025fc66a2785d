// @ts-check
/** The results as text: all questions first, then each kind. Below each row, its 95 % confidence intervals. */
import { measureNames, measures } from '../../../packages/cli/dist/eval/pure/scores.js'

/** @param {readonly import('./measure.mjs').Result[]} results */
export function table(results) {
  const kinds = Object.keys(results[0]?.byKind ?? {})
  const whole = results.flatMap((result) => {
    const [means = [], ...around] = rows(result.id, result)
    return [[...means, result.p50.toFixed(2), result.p95.toFixed(2)], ...around].map(aligned)
  })
  const parts = kinds.flatMap((kind) => [
    '',
    `${kind}, ${results[0]?.byKind[kind]?.queries ?? 0} questions`,
    ...results.flatMap((result) => {
      const summary = result.byKind[kind]
      return summary === undefined ? [] : rows(result.id, summary).map(aligned)
    }),
  ])
  const head = aligned(['', ...measures.map((measure) => measureNames[measure]), 'p50 ms', 'p95 ms'])
  return [head, ...whole, ...parts].join('\n')
}

/** @param {string} id @param {Pick<import('./measure.mjs').Summary, import('./measure.mjs').Measure | 'intervals'>} summary */
function rows(id, { intervals, ...means }) {
  const row = [id, ...measures.map((measure) => means[measure].toFixed(3))]
  if (intervals === undefined) return [row]
  return [row, ['', ...measures.map((measure) => `${short(intervals[measure].low)}–${short(intervals[measure].high)}`)]]
}

/** @param {number} share */
function short(share) {
  return share.toFixed(3).replace(/^0/, '')
}

/** @param {readonly string[]} cells */
function aligned(cells) {
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(11)))
    .join('')
    .trimEnd()
}
