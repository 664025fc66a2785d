// @ts-check
/** Repeatable randomness: the same seed, the same choices. @param {number} seed */
export function randomFrom(seed) {
  let state = seed >>> 0

  /** @param {number} limit */
  function below(limit) {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) % limit
  }

  /** @template T @param {readonly T[]} from @returns {T} */
  function pick(from) {
    const one = from[below(from.length)]
    if (one === undefined) throw new TypeError('nothing to pick from')
    return one
  }

  /** Different ones, in random order. @template T @param {readonly T[]} from @param {number} many @returns {T[]} */
  function some(from, many) {
    const left = [...from]
    return Array.from({ length: many }, () => left.splice(below(left.length), 1)).flat()
  }

  return { below, pick, some }
}
