// @ts-check
/** Every figure where something else was better, every goal that was missed, and what could not be measured. */
import { inOrder } from './order.mjs'
import { figure, percent } from './words.mjs'

/** @typedef {import('../scoreboard.mjs').Board} Board */

const measures = /** @type {const} */ ([
  ['R@1', 'recallAt1'],
  ['R@5', 'recallAt5'],
  ['R@10', 'recallAt10'],
  ['MRR', 'mrr'],
  ['nDCG@10', 'ndcgAt10'],
])

/** @param {Board} board @returns {string[]} */
export function losses(board) {
  const runs = inOrder(board.benches)
  return [
    ...runs.flatMap(([, { results }]) => results.flatMap(lostTo)),
    ...Object.entries(board.recall).flatMap(([name, { results }]) => [
      ...worse(`recall of ${name}`, results),
      ...worseByKind(name, results),
      ...slower(name, results),
    ]),
    ...runs.flatMap(([, { results }]) => results.filter(({ ok }) => !ok).map(missed)),
    ...runs.flatMap(([name, { failures }]) =>
      Object.entries(failures).map(([id, why]) => `${name}, ${id}: could not be measured: ${why}`),
    ),
  ]
}

/** @param {import('../frame.mjs').Result} result */
function lostTo({ id, what, unit, ours, peers, peerRatios }) {
  return Object.entries(peerRatios)
    .filter(([, times]) => times < 1)
    .map(
      ([name, times]) =>
        `${id}, ${what}: ${name} is better, ${figure(peers[name] ?? Number.NaN)} ${unit} against ${figure(ours)} (${figure(times)}×).`,
    )
}

/** @param {import('../frame.mjs').Result} result */
function missed({ id, what, unit, ours, goal, ratio, peerRatios }) {
  const beside = [
    ...(ratio === null ? [] : [`${figure(ratio)} × floor`]),
    ...Object.entries(peerRatios).map(([name, times]) => `${figure(times)} × ${name}`),
  ]
  return `${id}, ${what}: the goal is missed. Wanted ${goal}; measured ${[`${figure(ours)} ${unit}`, ...beside].join(', ')}.`
}

/** @typedef {Pick<import('../../eval/recall/measure.mjs').Result, 'recallAt1' | 'recallAt5' | 'recallAt10' | 'mrr' | 'ndcgAt10'>} Scores */

/** @param {string} where @param {readonly (Scores & { id: string })[]} results */
function worse(where, results) {
  const ours = results.find(({ id }) => id === 'ours')
  if (ours === undefined) return []
  const said = measures.flatMap(([title, key]) => {
    const better = others(results).filter((each) => each[key] > ours[key] + 0.0005)
    if (better.length === 0) return []
    return [`${title} ${percent(ours[key])}, ${better.map((each) => `${each.id} ${percent(each[key])}`).join(', ')}`]
  })
  return said.length === 0 ? [] : [`${where}: ours has ${said.join('; ')}.`]
}

/** @param {string} name @param {readonly import('../../eval/recall/measure.mjs').Result[]} results */
function worseByKind(name, results) {
  const kinds = Object.keys(results[0]?.byKind ?? {})
  if (kinds.length < 2) return []
  return kinds.flatMap((kind) =>
    worse(
      `recall of ${name}, ${kind} questions`,
      results.flatMap(({ id, byKind }) => (byKind[kind] === undefined ? [] : [{ ...byKind[kind], id }])),
    ),
  )
}

/** Ours opens files before it says anything about them; the others answer from memory. @param {string} name @param {readonly import('../../eval/recall/measure.mjs').Result[]} results */
function slower(name, results) {
  const ours = results.find(({ id }) => id === 'ours')
  const faster = others(results).filter(({ p50 }) => p50 < (ours?.p50 ?? 0))
  if (ours === undefined || faster.length === 0) return []
  const said = faster.map(({ id, p50 }) => `${id} ${figure(p50)} ms`).join(', ')
  return [`recall of ${name}, time to answer: ours ${figure(ours.p50)} ms, ${said}; those hold every text in memory.`]
}

/** @template {{ id: string }} T @param {readonly T[]} results @returns {T[]} */
function others(results) {
  return results.filter(({ id }) => !id.startsWith('ours'))
}
