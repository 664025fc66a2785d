// @ts-check
/**
 * One process of a simulated world: its clock, its line to the store, and what may befall it. Dead, its calls and waits never
 * come back; suspended, they come back when it goes on. What runs in it is the real code.
 */

/**
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('@agentm/agent-loop').Runtime} Runtime
 * @typedef {import('./virtual-time.mjs').VirtualTime} VirtualTime
 * @typedef {import('./seeded.mjs').Chance} Chance
 */

/**
 * @typedef {object} Rates how likely each fault is, each time it may strike
 * @property {number} crash
 * @property {number} suspend
 * @property {number} slow
 * @property {number} lostAnswer committed, and answered with an error
 * @property {number} fullDisk
 * @property {number} clock
 * @property {number} offset a clock that is wrong from the beginning
 * @property {number} lateWake
 * @property {number} doubleWake
 */

/** @type {Rates} */
export const usualRates = {
  crash: 0.004,
  suspend: 0.003,
  slow: 0.02,
  lostAnswer: 0.01,
  fullDisk: 0.01,
  clock: 0.003,
  offset: 0,
  lateWake: 0.05,
  doubleWake: 0.05,
}

/** @type {ReadonlySet<string>} */
const writes = new Set([
  'append',
  'take',
  'openSession',
  'renew',
  'closeSession',
  'redact',
  'put',
  'remove',
  'putVectors',
  'write',
  'update',
  'mkdir',
])

/** What a process does a few times in its life: faults have to be as likely there as in what it does all the time. @type {ReadonlySet<string>} */
const seldom = new Set(['work.openSession', 'work.hold', 'work.closeSession'])

export class Participant {
  isDead = false
  #name
  #time
  #chance
  #rates
  #random
  #clockOffset = 0
  #suspendedUntil = 0
  #latencyMs
  #onDeath

  /**
   * @param {{ name: string, time: VirtualTime, chance: Chance, rates?: Rates, latencyMs?: number, onDeath: () => void }} options
   *   `latencyMs` is the most that a call takes there, and again back, when nothing is wrong
   */
  constructor({ name, time, chance, rates = usualRates, latencyMs = 3, onDeath }) {
    this.#name = name
    this.#time = time
    this.#chance = chance
    this.#rates = rates
    this.#latencyMs = latencyMs
    this.#random = chance.stream(name)
    this.#onDeath = onDeath
    this.#perhaps('offset', () => {
      this.#clockOffset = (this.#random() - 0.5) * 7_200_000
    })
  }

  /** @returns {Runtime} */
  get runtime() {
    return {
      now: () => this.#time.now + this.#clockOffset,
      random: this.#random,
      newId: () => Array.from({ length: 4 }, () => hex(this.#random())).join(''),
      sleep: (ms, signal) => this.#sleep(ms, signal),
      spawn: () => {
        throw new TypeError('nothing is spawned in a simulation')
      },
    }
  }

  /** @param {NodeStore} store @returns {NodeStore} */
  lineTo(store) {
    return {
      log: this.#through(store.log, 'log'),
      work: this.#through(store.work, 'work'),
      recall: this.#through(store.recall, 'recall'),
      close: async () => undefined,
    }
  }

  /** @template {import('@agentm/storage-seam').StorageBackend} B @param {B} backend @returns {B} */
  lineToBackend(backend) {
    return this.#through(backend, 'backend')
  }

  /** @template {object} T @param {T} part @param {string} label @returns {T} */
  #through(part, label) {
    return new Proxy(part, {
      get: (target, name) => {
        const member = Reflect.get(target, name)
        if (typeof member !== 'function' || typeof name !== 'string' || name === 'resolve') return member
        if (name === 'feed') return (/** @type {any} */ options) => this.#feed(target, options)
        return (/** @type {unknown[]} */ ...args) =>
          this.call(`${label}.${name}`, writes.has(name), async () => member.apply(target, args))
      },
    })
  }

  /**
   * Reads of tables are part of the process itself, and need no time.
   *
   * @param {import('@agentm/nodes/store-kit').ByteTables} tables @returns {import('@agentm/nodes/store-kit').ByteTables}
   */
  lineToTables(tables) {
    return {
      read: (space, look) => tables.read(space, look),
      write: (...given) => this.call('tables.write', true, async () => tables.write(...given)),
      close: async () => undefined,
    }
  }

  /** @template T @param {string} what @param {boolean} isWrite @param {() => Promise<T>} perform @returns {Promise<T>} */
  async call(what, isWrite, perform) {
    const times = seldom.has(what) ? 6 : 1
    await this.#travel(times)
    if (isWrite) this.#perhaps('crash', () => this.die())
    if (isWrite && this.#strikes('fullDisk', times)) throw faultOf(`${what}: the disk is full`, 'STORE_FULL')
    await this.#alive()
    const outcome = await perform().then(
      (value) => ({ value }),
      (/** @type {unknown} */ error) => ({ error }),
    )
    if (isWrite) this.#perhaps('crash', () => this.die())
    await this.#travel(times)
    if ('error' in outcome) throw outcome.error
    if (isWrite && this.#strikes('lostAnswer'))
      throw faultOf(`${what}: the line broke before the answer`, 'OUTCOME_UNKNOWN')
    return outcome.value
  }

  /** @param {any} log @param {any} options */
  async *#feed(log, options) {
    for await (const event of log.feed(options)) {
      if (this.#strikes('lateWake')) await this.#sleep(this.#random() * 2000)
      await this.#alive()
      yield event
      if (this.#strikes('doubleWake')) yield event
    }
  }

  /** @param {number} times as likely to be slow as other calls */
  async #travel(times) {
    this.#perhaps('suspend', () => {
      this.#suspendedUntil = this.#time.now + this.#random() * 30_000
    })
    this.#perhaps('clock', () => {
      this.#clockOffset += (this.#random() - 0.5) * 20_000
    })
    await this.#time.sleep(this.#strikes('slow', times) ? this.#random() * 5000 : this.#random() * this.#latencyMs)
    await this.#alive()
  }

  /** @param {number} ms @param {AbortSignal} [signal] */
  async #sleep(ms, signal) {
    try {
      await this.#time.sleep(ms, signal)
    } finally {
      await this.#alive()
    }
  }

  /** Goes on when this process does. @returns {Promise<void>} */
  async #alive() {
    while (!this.isDead && this.#suspendedUntil > this.#time.now)
      await this.#time.sleep(this.#suspendedUntil - this.#time.now)
    if (this.isDead) await new Promise(() => undefined)
  }

  /** From here on nothing of it happens any more. */
  die() {
    if (this.isDead) return
    this.isDead = true
    this.#onDeath()
  }

  /** @param {keyof Rates} fault @param {() => void} happen */
  #perhaps(fault, happen) {
    if (!this.isDead && this.#strikes(fault)) happen()
  }

  /** @param {keyof Rates} fault @param {number} [times] as likely as usual */
  #strikes(fault, times = 1) {
    return this.#chance.strikes(`${this.#name} ${fault}`, this.#rates[fault] * times)
  }
}

/** @param {string} message @param {string} code */
function faultOf(message, code) {
  return Object.assign(new Error(message), { code })
}

/** @param {number} random */
function hex(random) {
  return Math.floor(random * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
}
