// @ts-check
/**
 * What the node benchmarks write and ask: texts whose words are as unevenly spread as in prose without its stop words, and
 * vectors that lie in clusters, both repeatable.
 */
import { seededRandom } from '@agentm/conformance/logs'

export const dimensions = 256
export const embedder = 'bench/256'

const vocabulary = Array.from({ length: 20_000 }, (_, i) => `w${i.toString(36)}q`)
const cumulative = vocabulary.reduce((/** @type {number[]} */ sums, _, i) => {
  sums.push((sums.at(-1) ?? 0) + 1 / (i + 11))
  return sums
}, [])

/** @param {number} seed */
export function generator(seed) {
  const random = seededRandom(seed)
  const centres = clusterCentres()
  const word = () => vocabulary[place(random() * (cumulative.at(-1) ?? 0))] ?? ''
  /** @param {number} count */
  const text = (count) => Array.from({ length: count }, word).join(' ')
  const vector = () => {
    const centre = centres[Math.floor(random() * centres.length)] ?? new Float32Array(dimensions)
    return centre.map((value) => value + (random() - 0.5) * 0.6)
  }
  return { random, text, vector }
}

/** The same ones for every generator: questions are about what is stored. */
function clusterCentres() {
  const random = seededRandom(1)
  return Array.from({ length: 500 }, () => Float32Array.from({ length: dimensions }, () => random() - 0.5))
}

/** @param {number} at */
function place(at) {
  let [low, high] = [0, cumulative.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}
