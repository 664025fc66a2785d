// @ts-check
/**
 * Durable functions drawn at random: a program is data, and one function runs any of them. What a run of it gives is the list of
 * everything it was given, so that a run that was given something else ends differently.
 */

/**
 * @typedef {{ readonly do: 'step', readonly name: string, readonly fails: number, readonly patience: number, readonly ms: number, readonly nature?: 'effectful', readonly onUnknown?: 'ask' | 'fail' | 'retry', readonly undo?: true }} StepOp
 * @typedef {{ readonly do: 'sleep', readonly ms: number }} SleepOp
 * @typedef {{ readonly do: 'signal', readonly name: string, readonly ms?: number }} SignalOp
 * @typedef {{ readonly do: 'ask', readonly question: string, readonly ms?: number }} AskOp
 * @typedef {{ readonly do: 'call', readonly program: Program }} CallOp
 * @typedef {StepOp | SleepOp | SignalOp | AskOp | CallOp} WaitingOp
 * @typedef {{ readonly do: 'race', readonly a: WaitingOp, readonly b: WaitingOp }} RaceOp
 * @typedef {{ readonly do: 'map', readonly name: string, readonly items: number, readonly atOnce: number, readonly ms: number }} MapOp
 * @typedef {{ readonly do: 'all', readonly branches: readonly (readonly Op[])[] }} AllOp
 * @typedef {{ readonly do: 'finally', readonly body: readonly Op[], readonly after: readonly Op[] }} FinallyOp
 * @typedef {{ readonly do: 'note', readonly how: 'emit' | 'show' | 'patch', readonly name: string }} NoteOp
 * @typedef {{ readonly do: 'throw', readonly message: string }} ThrowOp
 * @typedef {{ readonly do: 'draw', readonly name: string }} DrawOp
 * @typedef {WaitingOp | RaceOp | MapOp | AllOp | FinallyOp | NoteOp | ThrowOp | DrawOp} Op
 * @typedef {{ readonly name: string, readonly ops: readonly Op[] }} Program
 */

/**
 * What a program asks for. The real function has a `Run`; the model of it answers from what was recorded.
 * @typedef {object} Asking
 * @property {(op: StepOp) => Promise<unknown>} step
 * @property {(op: MapOp) => Promise<readonly unknown[]>} map
 * @property {(op: SleepOp) => Promise<unknown>} sleep
 * @property {(op: SignalOp) => Promise<unknown>} signal
 * @property {(op: AskOp) => Promise<unknown>} ask
 * @property {(op: CallOp) => Promise<unknown>} call
 * @property {(promises: { readonly a: Promise<unknown>, readonly b: Promise<unknown> }) => Promise<{ readonly winner: 'a' | 'b', readonly value: unknown }>} race
 * @property {(op: NoteOp) => Promise<unknown>} note
 * @property {(op: DrawOp) => Promise<boolean>} draw that a number is the same as the one that a step recorded
 * @property {() => number} now
 */

/** @param {Program} program @param {Asking} asking @returns {Promise<readonly unknown[]>} */
export async function runProgram({ name, ops }, asking) {
  /** @type {unknown[]} */
  const given = [name]
  await runOps(ops, asking, given)
  return given
}

/** @param {readonly Op[]} ops @param {Asking} asking @param {unknown[]} given */
async function runOps(ops, asking, given) {
  for (const op of ops) given.push((await runOp(op, asking)) ?? null, asking.now())
}

/** @param {Op} op @param {Asking} asking @returns {Promise<unknown>} */
async function runOp(op, asking) {
  switch (op.do) {
    case 'race': {
      const { winner, value } = await asking.race({ a: begin(op.a, asking), b: begin(op.b, asking) })
      return [winner, value ?? null]
    }
    case 'map':
      return asking.map(op)
    case 'all':
      return Promise.all(op.branches.map((ops, i) => runProgram({ name: `branch ${i}`, ops }, asking)))
    case 'finally': {
      /** @type {unknown[]} */
      const given = []
      try {
        await runOps(op.body, asking, given)
      } finally {
        await runOps(op.after, asking, given)
      }
      return given
    }
    case 'note':
      return asking.note(op)
    case 'draw':
      return asking.draw(op)
    case 'throw':
      throw Object.assign(new Error(op.message), { code: 'THROWN' })
    default:
      // Most functions go on when something they asked for fails, and say so.
      return begin(op, asking).catch((/** @type {{ code?: string, message: string }} */ error) => {
        if (error.code === 'FUNCTION_CANCELLED' && op.do !== 'call') throw error
        return `${op.do} failed: ${error.message}`
      })
  }
}

/** @param {WaitingOp} op @param {Asking} asking @returns {Promise<unknown>} */
function begin(op, asking) {
  switch (op.do) {
    case 'step':
      return asking.step(op)
    case 'sleep':
      return asking.sleep(op)
    case 'signal':
      return asking.signal(op)
    case 'ask':
      return asking.ask(op)
    default:
      return asking.call(op)
  }
}

/** Longer than a worker may stand still and an answer may take together: what comes sooner than a third of it came too early. */
const longMs = 150_000
const signals = ['go', 'say']

/** @param {() => number} random @returns {Program} */
export function randomProgram(random) {
  const draw = new Draw(random)
  return { name: 'top', ops: draw.ops(3 + random() * 6, 0) }
}

class Draw {
  #random
  #names = 0
  #child

  /** @param {() => number} random @param {string} [child] the name of the child it draws, to which nobody sends a signal */
  constructor(random, child) {
    this.#random = random
    this.#child = child
  }

  /** @param {number} count @param {number} depth @returns {readonly Op[]} */
  ops(count, depth) {
    return Array.from({ length: Math.floor(count) }, () => this.#op(depth))
  }

  /** @param {string} what */
  #name(what) {
    return `${this.#child === undefined ? '' : `${this.#child}: `}${what} ${this.#names++}`
  }

  /** @param {number} depth @returns {Op} */
  #op(depth) {
    const random = this.#random
    const dice = random()
    if (dice < 0.12) return { do: 'race', a: this.#waiting(depth), b: this.#waiting(depth) }
    if (dice < 0.18)
      return {
        do: 'map',
        name: this.#name('map'),
        items: 1 + Math.floor(random() * 6),
        atOnce: 1 + Math.floor(random() * 3),
        ms: random() * 500,
      }
    if (dice < 0.28 && depth < 2)
      return {
        do: 'all',
        branches: Array.from({ length: 2 + Math.floor(random() * 2) }, () => this.ops(1 + random() * 3, depth + 1)),
      }
    if (dice < 0.34 && depth < 2)
      return {
        do: 'finally',
        body: this.ops(1 + random() * 3, depth + 1),
        after: this.ops(1 + random() * 2, depth + 1),
      }
    if (dice < 0.43) return this.#note()
    if (dice < 0.46) return { do: 'throw', message: this.#name('thrown') }
    if (dice < 0.5) return { do: 'draw', name: this.#name('draw') }
    return this.#waiting(depth)
  }

  /** @returns {NoteOp} */
  #note() {
    const dice = this.#random()
    return { do: 'note', how: dice < 0.5 ? 'emit' : dice < 0.8 ? 'show' : 'patch', name: this.#name('note') }
  }

  /** @param {number} depth @returns {WaitingOp} */
  #waiting(depth) {
    const random = this.#random
    const dice = random()
    const timeout = random() < 0.4 || this.#child !== undefined ? { ms: random() * longMs } : {}
    if (dice < 0.15) return { do: 'sleep', ms: random() < 0.5 ? random() * 3000 : longMs }
    if (dice < 0.3) return { do: 'signal', name: signals[Math.floor(random() * signals.length)] ?? 'go', ...timeout }
    if (dice < 0.38) return { do: 'ask', question: this.#name('question'), ...timeout }
    if (dice < 0.48 && depth < 2) return { do: 'call', program: this.#called() }
    return this.#step()
  }

  /** @returns {Program} */
  #called() {
    const name = this.#name('child')
    return { name, ops: new Draw(this.#random, name).ops(1 + this.#random() * 3, 2) }
  }

  /** Some steps run for so long that what happens meanwhile must be heard beside them. */
  #stepMs() {
    const dice = this.#random()
    if (dice < 0.07) return 120_000
    return this.#random() * (dice < 0.3 ? 6000 : 300)
  }

  /** @returns {StepOp} */
  #step() {
    const random = this.#random
    const dice = random()
    return {
      do: 'step',
      name: this.#name('step'),
      fails: random() < 0.7 ? 0 : 1 + Math.floor(random() * 3),
      patience: random() < 0.6 ? 20 : longMs,
      ms: this.#stepMs(),
      ...(random() < 0.4 && { undo: /** @type {const} */ (true) }),
      ...(dice < 0.35 && { nature: /** @type {const} */ ('effectful') }),
      ...(dice < 0.1 && { onUnknown: dice < 0.05 ? /** @type {const} */ ('fail') : /** @type {const} */ ('retry') }),
    }
  }
}

/** How often a program waits for each signal, without what it calls. @param {Program} program @returns {ReadonlyMap<string, number>} */
export function signalsOf({ ops }) {
  /** @type {Map<string, number>} */
  const times = new Map()
  /** @param {Op} op */
  const count = (op) => {
    if (op.do === 'signal') times.set(op.name, (times.get(op.name) ?? 0) + 1)
    if (op.do === 'race') [op.a, op.b].forEach(count)
    if (op.do === 'all') op.branches.flat().forEach(count)
    if (op.do === 'finally') [...op.body, ...op.after].forEach(count)
  }
  ops.forEach(count)
  return times
}

/** Every step of a program, without what it calls, by name. @param {Program} program @returns {ReadonlyMap<string, StepOp>} */
export function stepsOf({ ops }) {
  /** @type {Map<string, StepOp>} */
  const steps = new Map()
  /** @param {Op} op */
  const note = (op) => {
    if (op.do === 'step') steps.set(op.name, op)
    if (op.do === 'race') [op.a, op.b].forEach(note)
    if (op.do === 'all') op.branches.flat().forEach(note)
    if (op.do === 'finally') [...op.body, ...op.after].forEach(note)
  }
  ops.forEach(note)
  return steps
}
