// @ts-check
/**
 * Random durable functions, workers that crash, stand still, lose answers and are replaced, and a person who sends signals, answers and
 * cancels. Afterwards a model of each function, answered from what was recorded, says whether everything that was promised held.
 */
import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'
import { noFunctionsSeen, programIn } from './function-kinds.mjs'
import { randomProgram, signalsOf } from './function-programs.mjs'
import { brokenFunctionPromises } from './function-promises.mjs'
import { Participant, usualRates } from './participant.mjs'
import { simulatedStore } from './simulated-store.mjs'
import { VirtualTime } from './virtual-time.mjs'

/**
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('./seeded.mjs').Chance} Chance
 */

/**
 * @typedef {object} World
 * @property {Chance} chance
 * @property {VirtualTime} time
 * @property {NodeStore} store
 * @property {import('./function-kinds.mjs').FunctionsSeen} seen
 * @property {Partial<import('./participant.mjs').Rates>} rates how likely faults are, where not as usual
 * @property {number} latencyMs the most that a call takes there, and again back, where nothing is wrong
 * @property {Map<number, number>} written when each version was written, by a clock that is right
 * @property {Set<string>} ended the plans that are over
 * @property {Set<string>} mistakes of the workers, as they reported them
 */

const owner = 'ada'
const workers = 3
const slots = 2
const leaseMs = 3000
/** Seldom, so that a wake-up that was lost is not found by chance. */
const pollMs = 20 * 60_000
const stormMs = 40_000
const calmMs = 4 * 60 * 60_000
/** Clocks are left alone: what comes too early or too late is a fault then. */
const rates = { ...usualRates, clock: 0, crash: 0.008 }
const harsh = { crash: 0.03, slow: 0.08, lostAnswer: 0.04, fullDisk: 0.04 }
const farMs = 200

/** What did not hold; nothing where all did. @param {Chance} chance @returns {Promise<readonly string[]>} */
export async function simulateFunctions(chance) {
  const time = new VirtualTime()
  const store = simulatedStore(chance, time, { concepts: harnessConcepts })
  const weather = chance.stream('weather')
  /** @type {World} */
  const world = {
    chance,
    time,
    store,
    seen: noFunctionsSeen(),
    rates: weather() < 0.4 ? harsh : {},
    latencyMs: weather() < 0.25 ? farMs : 3,
    written: new Map(),
    ended: new Set(),
    mistakes: new Set(),
  }
  const started = time.now
  for (let i = 0; i < workers; i++) employ(world, i, 0)
  /** @type {import('./function-promises.mjs').Started[]} */
  const runs = []
  let isReady = false
  const person = direct(world, runs).then(() => (isReady = true))
  await time.run(() => time.now >= started + stormMs && isReady, started + stormMs * 20)
  await person
  chance.calm()
  const calmAt = time.now
  const haveEnded = await time.run(() => runs.every(({ id }) => world.ended.has(id)), time.now + calmMs)
  // What is still on its way arrives, and nothing may happen any more.
  await time.run(() => false, time.now + 120_000)
  const { seen, written } = world
  return [
    ...(haveEnded ? [] : ['not every run ended']),
    ...[...world.mistakes].map((mistake) => `a worker erred: ${mistake}`),
    ...(await brokenFunctionPromises({ store, owner, seen, written, runs, calmAt })),
  ]
}

/** @param {World} world @param {number} i @param {number} life */
function employ(world, i, life) {
  const { chance, time, seen, latencyMs, mistakes, store } = world
  const name = `worker-${i}.${life}`
  const again = () => time.after(chance.stream(`worker-${i}`)() * 3000, () => employ(world, i, life + 1))
  const self = new Participant({ name, time, chance, rates: { ...rates, ...world.rates }, latencyMs, onDeath: again })
  const { runtime } = self
  startWorker({
    store: self.lineTo(store),
    owners: [owner],
    kinds: [programIn(seen, { runtime, time })],
    slots,
    actor: 'worker',
    leaseMs,
    pollMs,
    runtime,
    onError: (/** @type {unknown} */ error) => {
      // A fault of the simulated disk and line has a code; a mistake in the code has none.
      if (typeof (/** @type {{ code?: unknown }} */ (error)?.code) !== 'string') mistakes.add(String(error))
    },
  }).then(
    (worker) => void retire(world, { name, self, worker, again }),
    () => {
      if (!self.isDead) again()
    },
  )
}

/**
 * Some workers are stopped, with some grace or none, and another takes the place.
 * @param {World} world
 * @param {{ name: string, self: Participant, worker: import('@agentm/harness').Worker, again: () => void }} worker
 */
async function retire({ chance, time }, { name, self, worker, again }) {
  const random = chance.stream(`${name} end`)
  await time.sleep(random() * 20_000)
  if (self.isDead || !chance.strikes(`${name} stop`, 0.5)) return
  await worker.stop({ graceMs: random() < 0.5 ? 0 : random() * 1000 }).catch(() => undefined)
  if (!self.isDead) again()
}

/** Starts the functions, follows them, and meddles. @param {World} world @param {import('./function-promises.mjs').Started[]} runs */
async function direct(world, runs) {
  const { chance, time, store, seen } = world
  const random = chance.stream('person')
  const harness = openHarness({ store, owner, actor: 'person', runtime: { newId: () => `p${runs.length}` } })
  const program = programIn(seen, { runtime: { sleep: (ms, signal) => time.sleep(ms, signal) }, time })
  void follow(world, harness)
  const count = 1 + Math.floor(random() * 2)
  for (let i = 0; i < count; i++) {
    await time.sleep(random() * (i === 0 ? 3000 : 15_000))
    const given = randomProgram(random)
    const handle = await harness.start(program, given, { id: `run-${i}` })
    runs.push({ id: handle.id, program: given, durable: program })
    const sent = [...signalsOf(given)].flatMap(([name, times]) => Array.from({ length: times }, () => name))
    for (const [nth, name] of sent.entries())
      void time.sleep(random() * 60_000).then(() => refusable(handle.signal(name, `${name} ${nth}`)))
    if (random() < 0.25) void time.sleep(random() * 90_000).then(() => refusable(handle.cancel('simulated')))
  }
}

/** @param {World} world @param {import('@agentm/harness').Harness} harness */
async function follow({ store, time, chance, written, ended }, harness) {
  const random = chance.stream('answers')
  /** @type {Set<string>} */
  const asked = new Set()
  for await (const { node } of store.log.feed({ owner, after: 0 })) {
    written.set(node.seq, time.now)
    if (node.concept === 'v1:harness:plan' && ['done', 'failed', 'cancelled'].includes(node.status ?? ''))
      ended.add(node.id)
    if (node.concept !== 'v1:harness:entry' || node.status !== 'asking') continue
    const { stepId, question } = /** @type {import('./function-model.mjs').Recorded['entry']} */ (
      /** @type {unknown} */ (node.payload)
    )
    const { id: questionId, allowed = [], deadline } = question ?? { id: '' }
    const key = `${stepId} ${questionId}`
    if (asked.has(key)) continue
    asked.add(key)
    // Nobody heeds some questions that end by themselves.
    if (deadline !== undefined && random() < 0.5) continue
    const say = (/** @type {number} */ after) => {
      const value = allowed[Math.floor(random() * allowed.length)] ?? 'yes'
      void time.sleep(after).then(() => refusable(harness.answer(stepId, { questionId, value, actor: 'person' })))
    }
    say(random() * 5000)
    // Two people say something, and only the first answer counts.
    if (random() < 0.2) say(random() * 5000)
  }
}

/** A person may come too late; that is said, and is no fault. @param {Promise<unknown>} asked */
async function refusable(asked) {
  try {
    await asked
  } catch (error) {
    const { code } = /** @type {{ code?: unknown }} */ (error)
    if (typeof code !== 'string') throw error
  }
}
