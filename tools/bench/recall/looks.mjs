// @ts-check
/** What is measured within one process of a filled home: looking for changes, and finding one. */
import { compare, median } from '../frame.mjs'
import { filledHome, measureIn } from './filled-home.mjs'

/** @typedef {import('../frame.mjs').Case['measure']} Measure */

/** @param {number} size @returns {Measure} */
export function scanned(size) {
  return async ({ repeats, scale }) => {
    const home = await filledHome(size)
    const rounds = Math.max(3, Math.round(repeats * scale))
    const { figures, counts } = await measureIn(home, 'scan', { rounds })
    const notes = [
      'a recall that finds nothing: it looks at every note, reads the index, and opens none',
      'the floor is a stat of each file',
      `counted over ${rounds} looks: calls to store and index that could write, and files that are not as they were`,
    ]
    return { ...compare(figures, 'less'), counts, notes }
  }
}

/** @param {number} size @returns {Measure} */
export function changedNote(size) {
  return async ({ repeats, scale }) => {
    const home = await filledHome(size)
    const { figures } = await measureIn(home, 'changed', {
      notes: size,
      rounds: Math.max(3, Math.round(repeats * scale)),
    })
    const slowest = Math.max(...figures.ours)
    return {
      ours: median(figures.ours),
      notes: [`every one was found first; the slowest took ${slowest.toFixed(0)} ms`],
    }
  }
}
