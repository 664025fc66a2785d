// @ts-check
/** Chance that is the same every time: a stream for each name, so that what one part draws moves nothing for another. */

/** @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Mulberry32: small, and the same everywhere. @param {number} seed @returns {() => number} in [0, 1) */
export function seeded(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Every decision of one simulated run: what is random, and which faults strike. */
export class Chance {
  /** Faults that struck, in order: `worker-1.0 crash #17`. @type {string[]} */
  struck = []
  /** @type {Map<string, () => number>} */
  #streams = new Map()
  /** @type {Map<string, number>} */
  #asked = new Map()
  #seed
  #only
  #over = false

  /** @param {number} seed @param {ReadonlySet<string>} [only] the faults that may strike; all where absent */
  constructor(seed, only) {
    this.#seed = seed
    this.#only = only
  }

  /** @param {string} name */
  stream(name) {
    const known = this.#streams.get(name) ?? seeded(hashOf(`${this.#seed} ${name}`))
    this.#streams.set(name, known)
    return known
  }

  /** Whether this fault strikes here, now. @param {string} name @param {number} probability */
  strikes(name, probability) {
    const time = (this.#asked.get(name) ?? 0) + 1
    this.#asked.set(name, time)
    const fault = `${name} #${time}`
    // Drawn from the name alone: leaving one fault out leaves the others where they are.
    const drawn = seeded(hashOf(`${this.#seed} ${fault}`))() < probability
    if (!drawn || this.#over || this.#only?.has(fault) === false) return false
    this.struck.push(fault)
    return true
  }

  /** From here on everything works. */
  calm() {
    this.#over = true
  }
}
