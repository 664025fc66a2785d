// @ts-check
/**
 * A durable function as it should be: the program runs once, in memory, and whatever it asks for is answered from what was recorded, in
 * the order in which it was recorded. Shares nothing with the code that it judges but the program.
 */
import { runProgram } from './function-programs.mjs'

/**
 * @typedef {import('./function-programs.mjs').Program} Program
 * @typedef {import('./function-programs.mjs').Asking} Asking
 * @typedef {Awaited<ReturnType<import('@agentm/harness').FunctionHandle['history']>>['entries'][number]} Recorded
 */

/**
 * @typedef {object} Asked
 * @property {number} position
 * @property {string} op
 * @property {string} name
 * @property {import('./function-programs.mjs').StepOp | undefined} step what can be taken back
 * @property {number} since the time of the last thing that the function was given before it asked
 * @property {number | undefined} ms how long it waits at most
 * @property {string | undefined} child the name of the program that it called
 * @property {number | undefined} lostAt when it lost a race
 * @property {boolean} isOver
 * @property {(value: unknown) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {Promise<unknown>} promise
 */

/**
 * @typedef {object} Modelled
 * @property {'done' | 'failed' | 'cancelled' | 'open'} ended
 * @property {unknown} [value]
 * @property {readonly Asked[]} asked everything that it asked for, by position
 * @property {readonly string[]} undone what it took back, in order
 * @property {ReadonlySet<number>} ignored what was recorded although the function no longer waited for it
 * @property {readonly string[]} broken what was recorded and not asked for
 */

/** @param {Program} program @param {{ readonly entries: readonly Recorded[], readonly startedAt: number }} history @returns {Promise<Modelled>} */
export async function modelRun(program, history) {
  return new Model(program, history).run()
}

class Model {
  /** @type {Asked[]} */
  #asked = []
  /** @type {string[]} */
  #undone = []
  /** @type {Asked[]} */
  #toUndo = []
  /** @type {Set<number>} */
  #ignored = new Set()
  /** @type {string[]} */
  #broken = []
  /** @type {Error | undefined} */
  #cancelled
  #now
  #program
  #entries
  /** @type {Pick<Modelled, 'ended' | 'value'> | undefined} */
  #end

  /** @param {Program} program @param {{ readonly entries: readonly Recorded[], readonly startedAt: number }} history */
  constructor(program, { entries, startedAt }) {
    this.#program = program
    this.#entries = entries
    this.#now = startedAt
  }

  async run() {
    void this.#body().then((end) => (this.#end = end))
    await turn()
    const given = this.#entries.filter(
      ({ entry }) => entry.status === 'done' || (entry.status === 'failed' && entry.retryAt === undefined),
    )
    for (const recorded of given.toSorted((a, b) => a.seq - b.seq)) {
      this.#give(recorded)
      await turn()
    }
    /** @type {Modelled} */
    return {
      ...(this.#end ?? { ended: /** @type {const} */ ('open') }),
      asked: this.#asked,
      undone: this.#undone,
      ignored: this.#ignored,
      broken: this.#broken,
    }
  }

  /** @returns {Promise<Pick<Modelled, 'ended' | 'value'>>} */
  async #body() {
    try {
      return { ended: 'done', value: await runProgram(this.#program, this.#asking()) }
    } catch (error) {
      for (let next = this.#toUndo.pop(); next !== undefined; next = this.#toUndo.pop()) {
        this.#undone.push(next.name)
        await this.#ask({ op: 'step', name: `undo ${next.name}` }).promise.catch(() => undefined)
      }
      const isCancelled = /** @type {{ code?: string }} */ (error).code === 'FUNCTION_CANCELLED'
      return { ended: this.#cancelled !== undefined && isCancelled ? 'cancelled' : 'failed' }
    }
  }

  /** @param {Recorded} recorded */
  #give({ entry, at }) {
    const { position, op, name, status, value, failure } = entry
    if (op === 'cancel') {
      this.#now = at
      this.#cancel(name)
      return
    }
    const asked = this.#asked[position]
    if (asked === undefined || asked.op !== op || asked.name !== name) {
      this.#broken.push(
        `${op} "${name}" at position ${position} was recorded, and the program asks for ${asked?.op} "${asked?.name}"`,
      )
      return
    }
    // What happened is taken back, also if the function no longer waited for it.
    if (status === 'done' && asked.step?.undo) this.#toUndo.push(asked)
    if (asked.isOver) {
      this.#ignored.add(position)
      return
    }
    this.#now = at
    asked.isOver = true
    if (status === 'failed') {
      const message = failure?.message ?? 'it failed'
      asked.reject(
        failure?.code === 'FUNCTION_CANCELLED'
          ? errorOf(`${name} was cancelled${message === '' ? '' : `: ${message}`}`, 'FUNCTION_CANCELLED')
          : errorOf(`${name} failed: ${message}`, 'FUNCTION_STEP_FAILED'),
      )
      return
    }
    asked.resolve(value)
  }

  /** @param {string} reason */
  #cancel(reason) {
    this.#cancelled = errorOf(`the run was cancelled: ${reason}`, 'FUNCTION_CANCELLED')
    for (const asked of this.#asked.filter(({ isOver, op }) => !isOver && op !== 'call')) {
      asked.isOver = true
      asked.reject(this.#cancelled)
    }
  }

  /** @param {{ readonly op: string, readonly name: string, readonly step?: import('./function-programs.mjs').StepOp, readonly ms?: number | undefined, readonly child?: string }} wish @returns {Asked} */
  #ask({ op, name, step, ms, child }) {
    /** @type {Pick<Asked, 'resolve' | 'reject'>} */
    const settle = { resolve: () => undefined, reject: () => undefined }
    const promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }))
    promise.catch(() => undefined)
    /** @type {Asked} */
    const asked = {
      position: this.#asked.length,
      op,
      name,
      step,
      since: this.#now,
      ms,
      child,
      lostAt: undefined,
      isOver: false,
      promise,
      ...settle,
    }
    this.#asked.push(asked)
    this.#byPromise.set(promise, asked)
    return asked
  }
  /** @type {WeakMap<Promise<unknown>, Asked>} */
  #byPromise = new WeakMap()

  /** @returns {Asking} */
  #asking() {
    return {
      step: (op) => this.#ask({ op: 'step', name: op.name, step: op }).promise,
      map: async (op) => {
        const all = Array.from(
          { length: op.items },
          (_, i) => this.#ask({ op: 'step', name: `${op.name}[${i}]` }).promise,
        )
        await Promise.allSettled(all)
        return Promise.all(all)
      },
      sleep: ({ ms }) => this.#ask({ op: 'sleep', name: '', ms }).promise,
      signal: ({ name, ms }) => this.#ask({ op: 'signal', name, ms }).promise,
      ask: ({ question, ms }) => this.#ask({ op: 'ask', name: question, ms }).promise,
      call: ({ program }) => this.#ask({ op: 'call', name: 'program', child: program.name }).promise,
      race: async ({ a, b }) => {
        return Promise.race([named('a', a), named('b', b)]).finally(() => {
          for (const each of [a, b]) {
            const asked = this.#byPromise.get(each)
            if (asked === undefined || asked.isOver) continue
            asked.isOver = true
            asked.lostAt = this.#now
          }
        })
      },
      note: async ({ how, name }) => {
        // Nobody changes the code, so that every patch is taken.
        await this.#ask({ op: how, name: how === 'emit' ? '' : name }).promise
        return how === 'patch' ? true : undefined
      },
      draw: async ({ name }) => (await this.#ask({ op: 'step', name }).promise, true),
      now: () => this.#now,
    }
  }
}

/** @param {'a' | 'b'} winner @param {Promise<unknown>} promise */
async function named(winner, promise) {
  return { winner, value: await promise }
}

/** @param {string} message @param {string} code */
function errorOf(message, code) {
  return Object.assign(new Error(message), { code })
}

/** @returns {Promise<void>} */
function turn() {
  return new Promise((resolve) => void setImmediate(resolve))
}
