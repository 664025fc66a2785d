// @ts-check
/**
 * Random plans, three workers that crash, stand still, mishear and are replaced, and a person who pauses, skips, answers and cancels.
 * Afterwards the log is asked whether everything that was promised held.
 */
import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'
import { Participant, usualRates } from './participant.mjs'
import { kindsOf, nothingSeen, randomPlan } from './plan-kinds.mjs'
import { brokenPromises } from './plan-promises.mjs'
import { overspent } from './spending.mjs'
import { simulatedStore } from './simulated-store.mjs'
import { VirtualTime } from './virtual-time.mjs'

/**
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('./seeded.mjs').Chance} Chance
 * @typedef {import('./plan-kinds.mjs').Seen} Seen
 */

/**
 * @typedef {object} World
 * @property {Chance} chance
 * @property {VirtualTime} time
 * @property {NodeStore} store
 * @property {Seen} seen what happened outside the log
 * @property {Partial<import('./participant.mjs').Rates>} rates how likely faults are, where not as usual
 * @property {number} latencyMs the most that a call takes there, and again back, where nothing is wrong
 * @property {Map<string, Map<string, number>>} renewed how often each session of a worker was renewed since the worker had a newer one
 * @property {boolean} isRestless workers are stopped all the time, as in the middle of a deployment
 * @property {boolean} fairClocks nobody sets a clock, so that what comes too early can be told from a clock that was wrong
 * @property {Set<string>} mistakes of the workers, as they told them
 */

const owner = 'ada'
const stranger = 'bob'
const workers = 3
const slots = 2
const perPartition = 3
const leaseMs = 3000
const stormMs = 40_000
const calmMs = 60 * 60_000
const rates = { ...usualRates, offset: 0.3 }
const fairRates = { ...usualRates, clock: 0 }
/** A bad line and a bad disk: what takes two faults at once is met in hours instead of days. */
const harsh = { slow: 0.1, lostAnswer: 0.05, fullDisk: 0.05 }
/** Machines that run well, and a line that loses answers: what a lost answer leaves behind is not swept away by a lost session. */
const lossy = { crash: 0.0005, suspend: 0, slow: 0.001, lostAnswer: 0.06 }
/** A store far away: what one worker does falls between what another reads and what it writes. */
const farMs = 300

/** What did not hold; nothing where all did. @param {Chance} chance @returns {Promise<readonly string[]>} */
export async function simulatePlans(chance) {
  const time = new VirtualTime()
  const clock = { offset: 0 }
  // Leases of sessions are counted by this clock, on whatever machine it is.
  const now = () => time.now + clock.offset
  const store = simulatedStore(chance, time, { concepts: harnessConcepts, now })
  const weather = chance.stream('weather')
  /** @type {World} */
  const world = {
    chance,
    time,
    store,
    seen: nothingSeen(),
    fairClocks: weather() < 0.4,
    rates: ratesOf(weather()),
    latencyMs: weather() < 0.35 ? farMs : 3,
    isRestless: weather() < 0.3,
    renewed: new Map(),
    mistakes: new Set(),
  }
  const started = time.now
  if (!world.fairClocks) setClock(world, clock)
  for (let i = 0; i < workers; i++) employ(world, i, 0)
  /** @type {string[]} */
  const planIds = []
  let isReady = false
  const person = direct(world, planIds).then(() => (isReady = true))
  await time.run(() => time.now >= started + stormMs && isReady, started + stormMs * 10)
  await person
  chance.calm()
  const ended = await time.run(() => areOver(world, planIds), time.now + calmMs)
  // What is still on its way (an answer, a wake-up) arrives, and nothing may change any more.
  await time.run(() => false, time.now + 60_000)
  return examine(world, ended)
}

/** @param {number} dice */
function ratesOf(dice) {
  if (dice < 0.25) return harsh
  return dice < 0.45 ? lossy : {}
}

/** @type {WeakMap<NodeStore, Map<string, string | undefined>>} */
const plansOf = new WeakMap()

/** Somebody sets the clock of the machine with the store: forward, and every lease is over; back, and none ends. @param {Pick<World, 'chance' | 'time'>} world @param {{ offset: number }} clock */
function setClock({ chance, time }, clock) {
  const random = chance.stream('store clock')
  time.after(random() * 10_000, () => {
    if (chance.strikes('store clock', 0.2)) clock.offset += (random() - 0.5) * 30_000
    setClock({ chance, time }, clock)
  })
}

/** With the plans that steps started; read through the feed, so that asking costs no time. @param {World} world @param {readonly string[]} planIds */
function areOver({ store }, planIds) {
  const known = plansOf.get(store) ?? new Map()
  return [...planIds, ...known.keys()].every((id) => ['done', 'failed', 'cancelled'].includes(known.get(id) ?? ''))
}

/** @param {World} world @param {number} i @param {number} life */
function employ(world, i, life) {
  const { chance, time, seen, fairClocks, latencyMs, mistakes } = world
  const likely = { ...(fairClocks ? fairRates : rates), ...world.rates }
  const name = `worker-${i}.${life}`
  const again = () => time.after(chance.stream(`worker-${i}`)() * 3000, () => employ(world, i, life + 1))
  const self = new Participant({ name, time, chance, rates: likely, latencyMs, onDeath: again })
  const { runtime } = self
  const options = {
    owners: [owner],
    kinds: kindsOf(seen, { die: () => self.die(), time }),
    slots,
    perPartition,
    actor: 'worker',
    leaseMs,
    pollMs: i === 0 ? 1500 : 10_000,
    runtime,
    onError: (/** @type {unknown} */ error) => {
      // A fault of the simulated disk and line has a code; a mistake in the code has none.
      if (typeof (/** @type {{ code?: unknown }} */ (error)?.code) !== 'string') mistakes.add(String(error))
    },
  }
  startWorker({ ...options, store: self.lineTo(countingRenewals(world, name)) }).then(
    (worker) => void retire(world, { name, self, worker, again }),
    () => {
      if (!self.isDead) again()
    },
  )
}

/** Counts how often a worker renews a session although it has opened a newer one. @param {World} world @param {string} name @returns {NodeStore} */
function countingRenewals({ store, renewed }, name) {
  /** @type {Map<string, number>} */
  const sessions = new Map()
  renewed.set(name, sessions)
  let newest = ''
  const work = new Proxy(store.work, {
    get(target, member) {
      if (member === 'openSession')
        return async (/** @type {Parameters<typeof target.openSession>[0]} */ options) => {
          const session = await target.openSession(options)
          newest = session.id
          return session
        }
      if (member === 'renew')
        return async (/** @type {Parameters<typeof target.renew>} */ ...[id, options]) => {
          if (id !== newest) sessions.set(id, (sessions.get(id) ?? 0) + 1)
          return target.renew(id, options)
        }
      return Reflect.get(target, member)
    },
  })
  return { ...store, work }
}

/**
 * Some workers are stopped, with some grace or none, and another takes the place.
 * @param {World} world
 * @param {{ name: string, self: Participant, worker: import('@agentm/harness').Worker, again: () => void }} worker
 */
async function retire({ chance, time, isRestless }, { name, self, worker, again }) {
  const random = chance.stream(`${name} end`)
  await time.sleep(random() * (isRestless ? 8000 : 30_000))
  if (self.isDead || !chance.strikes(`${name} stop`, isRestless ? 0.9 : 0.5)) return
  await worker.stop({ graceMs: random() < 0.5 ? 0 : random() * 1000 }).catch(() => undefined)
  if (!self.isDead) again()
}

/** Makes the plans, follows them, and meddles. @param {World} world @param {string[]} planIds */
async function direct(world, planIds) {
  const { chance, time, store } = world
  const random = chance.stream('person')
  const harness = openHarness({ store, owner, actor: 'person', runtime: { newId: () => `p${planIds.length}` } })
  void follow(world, harness)
  const other = openHarness({ store, owner: stranger, actor: 'person', runtime: { newId: () => 'theirs' } })
  await other.createPlan({ goal: 'of nobody here', steps: [{ key: 'a', title: 'a', kind: 'work' }], partition: 'p0' })
  const count = 1 + Math.floor(random() * 3)
  for (let i = 0; i < count; i++) {
    // So that something runs for as long as faults strike.
    await time.sleep(random() * (i === 0 ? 3000 : 18_000))
    const { planId } = await harness.createPlan({
      goal: `plan ${i}`,
      ...randomPlan(random, chance.stream('budget')),
      partition: `p${i % 2}`,
    })
    planIds.push(planId)
    void meddle(world, harness, planId, random)
  }
}

/** @param {World} world @param {import('@agentm/harness').Harness} harness */
async function follow({ store, time, chance, seen: { written } }, harness) {
  const status = new Map()
  plansOf.set(store, status)
  const random = chance.stream('answers')
  for await (const { node } of store.log.feed({ owner, after: 0 })) {
    written.set(node.seq, time.now)
    if (node.concept === 'v1:harness:plan') status.set(node.id, node.status)
    const { waitsFor } = /** @type {import('@agentm/harness').Step} */ (node.payload)
    if (node.status !== 'blocked' || waitsFor?.for !== 'answer') continue
    const { id: questionId, allowed = [], deadline } = waitsFor.question
    // Nobody heeds some questions that have an answer for that.
    if (deadline !== undefined && random() < 0.5) continue
    const value = allowed[Math.floor(random() * allowed.length)] ?? 'yes'
    // Some people say two things.
    for (const said of random() < 0.1 ? [value, ...allowed] : [value])
      void time
        .sleep(random() * 5000)
        .then(() => refusable(harness.answer(node.id, { questionId, value: said, actor: 'person' })))
  }
}

/** @param {World} world @param {import('@agentm/harness').Harness} harness @param {string} planId @param {() => number} random */
async function meddle({ time, store }, harness, planId, random) {
  const by = { actor: 'person', reason: 'simulated' }
  await time.sleep(random() * 20_000)
  const dice = random()
  if (dice < 0.3) {
    await refusable(harness.pausePlan(planId, by))
    // Some pauses are longer than anybody needs to hear of them.
    await time.sleep(random() * (random() < 0.5 ? 10_000 : 300_000))
    await refusable(harness.resumePlan(planId, by))
  } else if (dice < 0.35) await refusable(harness.cancelPlan(planId, by))
  else if (dice < 0.55) {
    const { nodes } = await store.log.scan({ owner, parent: planId, concepts: ['v1:harness:step'] })
    const starting = nodes.filter(({ payload }) => payload['kind'] === 'starts')
    const from = starting.length > 0 && random() < 0.8 ? starting : nodes
    const node = from[Math.floor(random() * from.length)]
    if (node !== undefined) await refusable(harness.skipStep(node.id, by))
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

/** @param {World} world @param {boolean} ended */
async function examine({ store, seen, fairClocks, mistakes, renewed }, ended) {
  const broken = [
    ...(ended ? [] : ['not every plan ended']),
    ...[...mistakes].map((mistake) => `a worker erred: ${mistake}`),
    ...(await brokenPromises({ store, owner, seen, fairClocks, slots, perPartition })),
    ...(await touched(store)),
    ...[...renewed].flatMap(([name, sessions]) => heldBeside(name, sessions)),
  ]
  const { nodes: plans } = await store.log.scan({ owner, concepts: ['v1:harness:plan'], limit: 10_000 })
  for (const plan of plans) broken.push(...(await overspent(store, plan)))
  broken.push(...(await misfolded(store)))
  return broken
}

/** One renewal may have been on its way; more are a session that nobody gave up. @param {string} name @param {ReadonlyMap<string, number>} sessions */
function heldBeside(name, sessions) {
  return [...sessions.values()].some((times) => times > 1) ? [`${name} kept two sessions alive`] : []
}

/** Of an owner whom no worker serves nothing is begun. @param {NodeStore} store */
async function touched({ log }) {
  const { nodes } = await log.scan({ owner: stranger, concepts: ['v1:harness:step'], versions: 'all' })
  return nodes.some(({ status }) => status === 'running') ? ['a worker ran a step of an owner it does not serve'] : []
}

/** Heads are what the log says, folded anew. @param {NodeStore} store */
async function misfolded({ log }) {
  const heads = async () => (await log.scan({ owner, limit: 10_000 })).nodes
  const before = await heads()
  await log.rebuild()
  const after = new Map((await heads()).map((head) => [head.id, JSON.stringify(sorted(head))]))
  return before
    .filter((head) => after.get(head.id) !== JSON.stringify(sorted(head)))
    .map(
      (head) =>
        `the head of ${head.id} is not the fold of the log: ${JSON.stringify(sorted(head))} ≠ ${after.get(head.id)}`,
    )
}

/** @param {object} facts */
function sorted(facts) {
  return Object.fromEntries(Object.entries(facts).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
