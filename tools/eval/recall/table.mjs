// @ts-check
/** The results as text: all questions first, then each kind. */

const columns = /** @type {const} */ ([
  ['R@1', 'recallAt1'],
  ['R@5', 'recallAt5'],
  ['R@10', 'recallAt10'],
  ['MRR', 'mrr'],
  ['nDCG@10', 'ndcgAt10'],
])

/** @param {readonly import('./measure.mjs').Result[]} results */
export function table(results) {
  const kinds = Object.keys(results[0]?.byKind ?? {})
  const whole = results.map((result) => [...row(result.id, result), result.p50.toFixed(2), result.p95.toFixed(2)])
  const parts = kinds.flatMap((kind) => [
    '',
    `${kind}, ${results[0]?.byKind[kind]?.queries ?? 0} questions`,
    ...results.flatMap((result) => {
      const scores = result.byKind[kind]
      return scores === undefined ? [] : [aligned(row(result.id, scores))]
    }),
  ])
  return [aligned(['', ...columns.map(([title]) => title), 'p50 ms', 'p95 ms']), ...whole.map(aligned), ...parts].join(
    '\n',
  )
}

/** @param {string} id @param {import('./measure.mjs').Scores} scores */
function row(id, scores) {
  return [id, ...columns.map(([, key]) => scores[key].toFixed(3))]
}

/** @param {readonly string[]} cells */
function aligned(cells) {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(22) : cell.padStart(8))).join('')
}
