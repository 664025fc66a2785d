// @ts-check
/** What each floor shows of the gathered answers, with intervals, and how often a probability is right. */
import { intervalOf } from '../../../packages/cli/dist/eval/pure/intervals.js'
import { aboveFloor } from '../../../packages/memory/dist/recall/pure/floor.js'
import { floors } from '../../../packages/memory/dist/reader.js'

/** @typedef {import('./gather.mjs').Asked} Asked */
/** @typedef {import('../../../packages/memory/dist/reader.js').Floor} Floor */
/** @typedef {{ readonly what: string, readonly questions: number, readonly shares: Readonly<Record<Floor, readonly number[]>> }} Row */

/** @param {readonly Asked[]} gathered @returns {readonly Row[]} */
export function rowsOf(gathered) {
  // What the ranking does not find is none of the floor's doing.
  const asked = gathered.filter(({ isAnswered, found }) => !isAnswered || found.some(({ isGold }) => isGold))
  const kinds = [...new Set(asked.map(({ kind }) => kind))].toSorted()
  return kinds.flatMap((kind) => {
    const own = asked.filter((one) => one.kind === kind)
    if (own[0]?.isAnswered !== true) return [row(`no answer, ${kind}: silent`, own, (shown) => shown.length === 0)]
    return [
      row(`${kind}: still shown`, own, (shown) => shown.some(({ isGold }) => isGold)),
      row(`${kind}: shown first`, own, ([first]) => first?.isGold === true),
    ]
  })
}

/** @param {string} what @param {readonly Asked[]} own @param {(shown: Asked['found']) => boolean} isRight @returns {Row} */
function row(what, own, isRight) {
  const at = (/** @type {Floor} */ floor) => own.map(({ found }) => (isRight(aboveFloor(found, floor)) ? 1 : 0))
  return { what, questions: own.length, shares: { off: at('off'), mild: at('mild'), strict: at('strict') } }
}

/** @param {readonly Row[]} rows */
export function rowsText(rows) {
  const head = ['', 'questions', ...floors].map((cell, i) =>
    i === 0 ? cell.padEnd(40) : cell.padStart(i > 1 ? 18 : 10),
  )
  return [head.join(''), ...rows.map(lineOf)].join('\n')
}

/** @param {Row} row */
function lineOf({ what, questions, shares }) {
  const cells = floors.map((floor) => {
    const { low, high } = intervalOf(shares[floor])
    return `${meanOf(shares[floor]).toFixed(3)} ${low.toFixed(3)}–${high.toFixed(3)}`.padStart(18)
  })
  return [what.padEnd(40), String(questions).padStart(10), ...cells].join('')
}

const steps = [0, 0.05, 0.1, 0.3, 0.45, 0.6, 0.75, 0.9, 1.01]

/**
 * For the first result of each question: the mean probability, and the share of answers. Each kind of question counts as often as in the
 * fit, where every second question has an answer.
 *
 * @param {readonly Asked[]} gathered
 */
export function reliabilityText(gathered) {
  const first = gathered.flatMap(({ found: [one], kind, isAnswered }) =>
    one === undefined ? [] : [{ ...one, kind, isAnswered }],
  )
  const weightOf = weighing(first)
  const lines = steps.slice(1).map((to, i) => {
    const from = steps[i] ?? 0
    const inside = first.filter(({ probability }) => probability >= from && probability < to)
    const all = inside.reduce((sum, one) => sum + weightOf(one), 0)
    const share = (/** @type {(one: (typeof inside)[number]) => number} */ of) =>
      (inside.reduce((sum, one) => sum + weightOf(one) * of(one), 0) / (all || 1)).toFixed(3).padStart(12)
    const name = `${from.toFixed(2)} to ${Math.min(1, to).toFixed(2)}`.padEnd(40)
    return `${name}${String(inside.length).padStart(10)}${share(({ probability }) => probability)}${share(({ isGold }) => (isGold ? 1 : 0))}`
  })
  return [
    `${'probability of the first result'.padEnd(40)}${'questions'.padStart(10)}${'said'.padStart(12)}${'true'.padStart(12)}`,
    ...lines,
  ].join('\n')
}

/** Kinds count alike, and answered and unanswered ones as much. @param {readonly { kind: string, isAnswered: boolean }[]} all */
function weighing(all) {
  const count = (/** @type {(one: (typeof all)[number]) => boolean} */ isCounted) => all.filter(isCounted).length
  const kindsOf = (/** @type {boolean} */ isAnswered) =>
    new Set(all.filter((one) => one.isAnswered === isAnswered).map(({ kind }) => kind)).size
  const kinds = { answered: kindsOf(true), unanswered: kindsOf(false) }
  const sizes = new Map(
    [...new Set(all.map(({ kind }) => kind))].map((kind) => [kind, count((one) => one.kind === kind)]),
  )
  return (/** @type {{ kind: string, isAnswered: boolean }} */ { kind, isAnswered }) =>
    1 / ((sizes.get(kind) ?? 1) * (isAnswered ? kinds.answered : kinds.unanswered))
}

/** @param {readonly number[]} values */
export function meanOf(values) {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
