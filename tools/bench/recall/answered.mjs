// @ts-check
import { compare } from '../frame.mjs'
import { filledHome, measureIn } from './filled-home.mjs'

/** @typedef {{ readonly notes: number, readonly episodes: number }} Size */

/** @type {Map<number, Promise<import('./answers.mjs').Answers>>} */
const asked = new Map()

/** Both shares come from the same questions. @param {Size} size @param {'p50' | 'p95'} share @returns {import('../frame.mjs').Case['measure']} */
export function answered(size, share) {
  return async ({ repeats, scale }) => {
    const rounds = Math.max(20, Math.round(repeats * 4 * scale))
    const measuring = asked.get(size.episodes) ?? ask(size, rounds)
    asked.set(size.episodes, measuring)
    const { figures, found, behind } = await measuring
    if (share === 'p95') return highest(figures)
    const hits = Object.entries(found).map(([name, count]) => `${name} ${count}`)
    return {
      ...compare(figures, 'less'),
      notes: [
        `each question is about one note; among the ten best of ${rounds}: ${hits.join(', ')}`,
        'ours looks at every note for changes and opens those it names; the others answer from what they were given once',
        ...(behind > 0 ? [`${behind} answers said that not every note could be looked at in time`] : []),
      ],
    }
  }
}

/** @param {Size} size @param {number} rounds @returns {Promise<import('./answers.mjs').Answers>} */
async function ask(size, rounds) {
  return measureIn(await filledHome(size.notes), 'answers', { ...size, rounds })
}

/** @param {Record<string, number[]>} figures */
function highest({ ours = [], ...peers }) {
  const each = Object.entries(peers).map(([name, times]) => [name, p95(times)])
  return { ours: p95(ours), peers: Object.fromEntries(each) }
}

/** @param {readonly number[]} figures */
function p95(figures) {
  return figures.toSorted((a, b) => a - b)[Math.floor(figures.length * 0.95)] ?? Number.NaN
}
