// @ts-check
/** Where to cut: the lowest threshold that is as precise as wanted on some sets, and what it does on others. */

/** @typedef {{ readonly score: number, readonly same: boolean }} Scored */
/** @typedef {{ readonly precision: number, readonly recall: number, readonly pairs: number }} Quality */

/** On every set; in hundredths, since nobody reads more. @param {readonly (readonly Scored[])[]} sets @param {number} precision @returns {number} */
export function lowestAt(sets, precision) {
  const holds = (/** @type {number} */ cut) =>
    sets.every((scored) => {
      const { precision: found } = qualityAt(scored, cut / 100)
      return Number.isNaN(found) || found >= precision
    })
  // Precise from here on up, not by a lucky dip.
  let cut = 101
  while (cut > 5 && holds(cut - 1)) cut--
  return Math.min(cut, 100) / 100
}

/** @param {readonly Scored[]} scored @param {number} threshold @returns {Quality} */
export function qualityAt(scored, threshold) {
  const taken = scored.filter(({ score }) => score >= threshold)
  const right = taken.filter(({ same }) => same).length
  const all = scored.filter(({ same }) => same).length
  return { precision: right / taken.length, recall: right / all, pairs: scored.length }
}
