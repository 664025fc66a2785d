// @ts-check
/** How many tests passed, failed and were skipped, and the two ways every tool of the house prints that. */

/**
 * @typedef {object} Tally
 * @property {number} passed
 * @property {number} failed
 * @property {readonly Remark[]} skipped
 * @property {readonly Remark[]} [broken] what failed, with the first line of its error
 * @property {readonly Remark[]} [shaky] what failed first and passed on a second try
 */

/** @typedef {{ readonly what: string, readonly why: string }} Remark */

/** @param {readonly Tally[]} tallies @returns {Tally} */
export function sumOf(tallies) {
  return {
    passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
    skipped: tallies.flatMap((tally) => tally.skipped),
    broken: tallies.flatMap((tally) => tally.broken ?? []),
    shaky: tallies.flatMap((tally) => tally.shaky ?? []),
  }
}

/** @param {Tally} tally */
export function tallyLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped.length} skipped`
}

/** One line for each reason, with how many tests it kept from running. @param {Tally} tally */
export function skippedLines({ skipped }) {
  const whys = new Map()
  for (const { why } of skipped) whys.set(why, (whys.get(why) ?? 0) + 1)
  return [...whys].map(([why, count]) => `skipped ${count}: ${why}`)
}

/** @param {Tally} tally */
export function printTally(tally) {
  console.log(tallyLine(tally))
}

/** @param {Tally} tally */
export function printSkipped(tally) {
  for (const line of skippedLines(tally)) console.log(line)
}

/** Last of all, because the end is what a log keeps. @param {Tally} tally */
export function faultLines({ broken = [], shaky = [] }) {
  return [
    ...shaky.map(({ what, why }) => `PASSED ONLY ON A SECOND TRY: ${what}: ${why}`),
    ...broken.map(({ what, why }) => `FAILED: ${what}: ${why}`),
  ]
}

/** @param {Tally} tally */
export function printFaults(tally) {
  for (const line of faultLines(tally)) console.log(line)
}
