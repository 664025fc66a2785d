// @ts-check
/** Chance that is the same every time: a stream for each name, so that what one part draws moves nothing for another. */
import { seededRandom } from '@agentm/conformance/logs'

/** @param {string} text @param {number} [before] the hash of what stands before it */
function hashOf(text, before = 0x811c9dc5) {
  let hash = before
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/** Every decision of one simulated run: what is random, and which faults strike. */
export class Chance {
  /** Faults that struck, in order: `worker-1.0 crash #17`. @type {string[]} */
  struck = []
  /** @type {Map<string, () => number>} */
  #streams = new Map()
  /** How often each fault was asked for, and what its name hashes to. @type {Map<string, { times: number, readonly hash: number }>} */
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
    const known = this.#streams.get(name) ?? seededRandom(hashOf(`${this.#seed} ${name}`))
    this.#streams.set(name, known)
    return known
  }

  /** Whether this fault strikes here, now. @param {string} name @param {number} probability */
  strikes(name, probability) {
    const asked = this.#asked.get(name) ?? { times: 0, hash: hashOf(`${this.#seed} ${name} #`) }
    this.#asked.set(name, asked)
    asked.times += 1
    // Drawn from the name alone: leaving one fault out leaves the others where they are.
    const drawn = seededRandom(hashOf(String(asked.times), asked.hash))() < probability
    if (!drawn || this.#over) return false
    const fault = `${name} #${asked.times}`
    if (this.#only?.has(fault) === false) return false
    this.struck.push(fault)
    return true
  }

  /** From here on everything works. */
  calm() {
    this.#over = true
  }
}
