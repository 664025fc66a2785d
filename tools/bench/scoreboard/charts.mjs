// @ts-check
/** Three pictures of the board: throughput, recovery, recall. One that has nothing to show is not drawn. */
import { barChart } from './bar-chart.mjs'
import { inOrder } from './order.mjs'
import { figure, percent } from './words.mjs'

/** @typedef {import('../scoreboard.mjs').Board} Board */
/** @typedef {import('./bar-chart.mjs').Group} Group */
/** @typedef {import('../frame.mjs').Result} Result */

/** @param {Board} board @returns {Record<string, string>} name to SVG */
export function charts(board) {
  const drawn = [throughput(board), recovery(board), recall(board)].filter((chart) => chart.groups.length > 0)
  return Object.fromEntries(drawn.map(({ name, ...chart }) => [name, barChart(chart)]))
}

/** @param {Board} board */
function throughput(board) {
  const wanted = [
    'S2-device-local',
    'S3-vault',
    'N1-sqlite',
    'N1-postgres',
    'N2-sqlite',
    'W1-sqlite-16',
    'W1-postgres-16',
  ]
  const rows = wanted.flatMap((id) => resultsOf(board).filter((result) => result.id === id))
  return { name: 'throughput', title: 'Throughput', says: 'longer is better', groups: rows.map(groupOf) }
}

/** Rows about what was killed, lost or left behind, wherever they were measured. @param {Board} board */
function recovery(board) {
  const rows = resultsOf(board).filter(
    ({ what, unit }) => /goes on|recover|resume/i.test(what) && ['s', 'ms'].includes(unit),
  )
  return {
    name: 'recovery',
    title: 'Recovery',
    says: 'until work goes on; shorter is better',
    groups: rows.map(groupOf),
  }
}

/** @param {Board} board */
function recall({ recall: sets }) {
  const groups = Object.entries(sets).flatMap(([name, { results }]) => [
    sharesOf(`${name}: right notes among the first five`, results, 'recallAt5'),
    sharesOf(`${name}: mean reciprocal rank`, results, 'mrr'),
  ])
  return { name: 'recall', title: 'Recall', says: 'labelled questions; longer is better', groups }
}

/** @param {Board} board @returns {readonly Result[]} */
function resultsOf({ benches }) {
  return inOrder(benches).flatMap(([, { results }]) => results)
}

/** @param {Result} result @returns {Group} */
function groupOf({ id, what, unit, ours, floor, peers }) {
  const others = [...Object.entries(peers), ...(floor === null ? [] : [/** @type {const} */ (['floor', floor])])]
  const bars = [/** @type {const} */ (['ours', ours]), ...others].map(([name, value]) => ({
    name,
    value,
    shown: `${figure(value)} ${unit}`,
    ours: name === 'ours',
  }))
  return { label: `${what} (${id})`, bars }
}

/** @param {string} label @param {readonly import('../../eval/recall/measure.mjs').Result[]} results @param {'recallAt5' | 'mrr'} key @returns {Group} */
function sharesOf(label, results, key) {
  const bars = results.map((each) => ({
    name: each.id,
    value: each[key],
    shown: percent(each[key]),
    ours: each.id.startsWith('ours'),
  }))
  return { label, bars, most: 1 }
}
