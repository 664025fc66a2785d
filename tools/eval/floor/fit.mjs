// @ts-check
/**
 * Fits the weights of the evidence: a logistic regression with a penalty on large weights, by Newton's method, so that the same examples
 * always give the same weights. Each kind of question counts by its own weight, however many questions it has.
 */
import { figures } from '../../../packages/memory/dist/recall/pure/floor-weights.js'

/** @typedef {import('./gather.mjs').Asked} Asked */
/** @typedef {{ readonly x: readonly number[], readonly isAnswer: boolean, readonly weight: number }} Example `x` begins with 1 */

/** Half of the questions have an answer, and ordinary prompts are half of the others. @type {Readonly<Record<string, number>>} */
const kindWeights = {
  'ordinary prompt': 2,
  'another store': 1,
  'another field': 0.5,
  'same kind': 0.6,
  answer: 1.2,
  'answer in a vault': 1.5,
  'answer, long prompt': 1,
}
// Of each question the first results count, and every answer. What follows a first result says less about the floor.
const firstResults = 3
const followerWeight = { answered: 0.1, unanswered: 0.3 }
const penalty = 0.001
const rounds = 30

/** @param {readonly Asked[]} gathered @returns {Readonly<Record<string, number>>} */
export function fittedWeights(gathered) {
  const names = ['base', ...figures]
  const fitted = fit(examplesOf(gathered, names))
  return Object.fromEntries(names.map((name, i) => [name, Math.round((fitted[i] ?? 0) * 100) / 100]))
}

/** @param {Readonly<Record<string, number>>} weights @param {import('./gather.mjs').Evidence} evidence */
export function probabilityWith(weights, evidence) {
  return logistic(dot(Object.values(weights), figuresOf(evidence, Object.keys(weights))))
}

/** @param {readonly Asked[]} gathered @param {readonly string[]} names @returns {readonly Example[]} */
function examplesOf(gathered, names) {
  const asked = gathered.filter(({ isAnswered, found }) => !isAnswered || found.some(({ isGold }) => isGold))
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { kind } of asked) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const examples = asked.flatMap(({ kind, isAnswered, found }) =>
    found.flatMap(({ isGold, evidence }, i) => {
      if (i >= firstResults && !isGold) return []
      const share = isGold ? 1 : isAnswered ? followerWeight.answered : i > 0 ? followerWeight.unanswered : 1
      const weight = (share * (kindWeights[kind] ?? 1)) / (counts.get(kind) ?? 1)
      return [{ x: figuresOf(evidence, names), isAnswer: isGold, weight }]
    }),
  )
  const all = examples.reduce((sum, { weight }) => sum + weight, 0)
  return examples.map((example) => ({ ...example, weight: example.weight / all }))
}

/** @param {import('./gather.mjs').Evidence} evidence @param {readonly string[]} names */
function figuresOf(evidence, names) {
  return names.map((name) => (name === 'base' ? 1 : Number(Reflect.get(evidence, name) ?? 0)))
}

/** @param {readonly Example[]} examples */
function fit(examples) {
  const size = examples[0]?.x.length ?? 0
  let weights = Array.from({ length: size }, () => 0)
  for (let round = 0; round < rounds; round++) {
    const slope = weights.map((weight, i) => weight * penaltyOf(i))
    const curve = weights.map((_, i) => weights.map((__, j) => (i === j ? penaltyOf(i) : 0)))
    for (const { x, isAnswer, weight } of examples) {
      const p = logistic(dot(weights, x))
      const error = weight * (p - (isAnswer ? 1 : 0))
      const bend = weight * p * (1 - p)
      for (const [i, one] of x.entries()) {
        slope[i] = (slope[i] ?? 0) + error * one
        const row = curve[i] ?? []
        for (const [j, other] of x.entries()) row[j] = (row[j] ?? 0) + bend * one * other
      }
    }
    const step = solved(curve, slope)
    weights = weights.map((weight, i) => weight - (step[i] ?? 0))
  }
  return weights
}

/** The base is not penalised. @param {number} i @returns {number} */
function penaltyOf(i) {
  return i === 0 ? 0 : penalty
}

/** Gauss's elimination with the largest pivot. @param {readonly (readonly number[])[]} matrix @param {readonly number[]} right */
function solved(matrix, right) {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0])
  for (let at = 0; at < rows.length; at++) {
    const size = (/** @type {number} */ row) => Math.abs(rows[row]?.[at] ?? 0)
    let largest = at
    for (let row = at + 1; row < rows.length; row++) if (size(row) > size(largest)) largest = row
    const pivot = rows[largest] ?? []
    rows[largest] = rows[at] ?? []
    rows[at] = pivot
    for (const [i, row] of rows.entries()) {
      const times = (row[at] ?? 0) / (pivot[at] ?? 1)
      if (i !== at) rows[i] = row.map((value, j) => value - times * (pivot[j] ?? 0))
    }
  }
  return rows.map((row, i) => (row.at(-1) ?? 0) / (row[i] ?? 1))
}

/** @param {readonly number[]} one @param {readonly number[]} other */
function dot(one, other) {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0)
}

/** @param {number} odds */
function logistic(odds) {
  return 1 / (1 + Math.exp(-odds))
}
