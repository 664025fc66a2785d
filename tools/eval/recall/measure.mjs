// @ts-check
/** Asks one system every question and scores the answers. */
import { intervalOf } from '../../../packages/cli/dist/eval/pure/intervals.js'
import { meanScores, measures, scoresOf } from '../../../packages/cli/dist/eval/pure/scores.js'

/** @typedef {import('../../../packages/cli/dist/eval/pure/scores.js').Scores} Scores */
/** @typedef {import('../../../packages/cli/dist/eval/pure/scores.js').Measure} Measure */
/** @typedef {import('../../../packages/cli/dist/eval/pure/intervals.js').Interval} Interval */
/** @typedef {Readonly<Record<Measure, Interval>>} Intervals at 95 % */
/** @typedef {Scores & { queries: number, intervals?: Intervals }} Summary a kept one may have no intervals */
/** @typedef {Scores & { intervals?: Intervals, id: string, p50: number, p95: number, byKind: Record<string, Summary> }} Result */

/** @param {import('../recall.mjs').System} system @param {import('../../../packages/cli/dist/eval/labelled-set.js').LabelledSet} set @returns {Promise<Result>} */
export async function measure(system, set) {
  const { rank, close } = await system.open(set)
  for (const query of set.queries.slice(0, 20)) await rank(query.text)
  /** @type {number[]} */
  const times = []
  /** @type {{ kind: string, scores: Scores }[]} */
  const scored = []
  for (const query of set.queries) {
    const start = performance.now()
    const ranked = await rank(query.text)
    times.push(performance.now() - start)
    scored.push({ kind: query.kind, scores: scoresOf(ranked, query) })
  }
  await close()
  times.sort((a, b) => a - b)
  const kinds = [...new Set(scored.map(({ kind }) => kind))].toSorted()
  const byKind = kinds.map((kind) => {
    const own = scored.filter((one) => one.kind === kind)
    return [kind, summaryOf(own.map(({ scores }) => scores))]
  })
  const { queries: _, ...whole } = summaryOf(scored.map(({ scores }) => scores))
  return {
    id: system.id,
    ...whole,
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p95: times[Math.floor(times.length * 0.95)] ?? 0,
    byKind: Object.fromEntries(byKind),
  }
}

/** @param {readonly Scores[]} all @returns {Summary} */
function summaryOf(all) {
  const around = (/** @type {Measure} */ key) => intervalOf(all.map((scores) => scores[key]))
  const intervals = Object.fromEntries(measures.map((key) => [key, around(key)]))
  return { queries: all.length, ...meanScores(all), intervals: /** @type {Intervals} */ (intervals) }
}
