// @ts-check
/** Where to cut: the lowest threshold that is as precise as wanted on some sets, and what it does on others. */

/** @typedef {{ readonly score: number, readonly same: boolean }} Scored */
/** @typedef {{ readonly precision: number, readonly recall: number, readonly pairs: number }} Quality */

/** On every set; in hundredths, since nobody reads more. @param {readonly (readonly Scored[])[]} sets @param {number} precision @returns {number} */
export function lowestAt(sets, precision) {
  for (let cut = 5; cut <= 100; cut++) {
    // Precise from here on up, not by a lucky dip.
    const above = Array.from({ length: 101 - cut }, (_, i) => (cut + i) / 100)
    const holds = above.every((at) =>
      sets.every((scored) => {
        const { precision: found } = qualityAt(scored, at)
        return Number.isNaN(found) || found >= precision
      }),
    )
    if (holds) return cut / 100
  }
  return 1
}

/** @param {readonly Scored[]} scored @param {number} threshold @returns {Quality} */
export function qualityAt(scored, threshold) {
  const taken = scored.filter(({ score }) => score >= threshold)
  const right = taken.filter(({ same }) => same).length
  const all = scored.filter(({ same }) => same).length
  return { precision: right / taken.length, recall: right / all, pairs: scored.length }
}
