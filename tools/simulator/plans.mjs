// @ts-check
/**
 * Random plans, three workers that crash, stand still and mishear, and a person who pauses, skips and cancels. Afterwards the
 * log is asked whether everything that was promised held.
 */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'
import { Participant, usualRates } from './participant.mjs'
import { overspent, spend, withBudget } from './spending.mjs'
import { VirtualTime } from './virtual-time.mjs'

/**
 * @typedef {import('@agentm/harness').StepKind} StepKind
 * @typedef {import('@agentm/harness').StepRun} StepRun
 * @typedef {import('@agentm/harness').NewStep} NewStep
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('@agentm/nodes').Head} Head
 * @typedef {import('./seeded.mjs').Chance} Chance
 * @typedef {{ readonly chance: Chance, readonly time: VirtualTime, readonly store: NodeStore, readonly calls: Map<string, number> }} World
 */

const owner = 'ada'
const workers = 3
const leaseMs = 3000
const stormMs = 40_000
const calmMs = 20 * 60_000
const rates = { ...usualRates, offset: 0.3 }
const retry = { maxFailures: 50, maxCrashes: 50, baseMs: 50, capMs: 500 }

/** What did not hold; nothing where all did. @param {Chance} chance @returns {Promise<readonly string[]>} */
export async function simulatePlans(chance) {
  const time = new VirtualTime()
  const ids = chance.stream('store')
  const clock = { offset: 0 }
  const store = createInMemoryStore({
    concepts: harnessConcepts,
    runtime: {
      // Leases of sessions are counted by this clock, on whatever machine it is.
      now: () => time.now + clock.offset,
      random: ids,
      newId: () => `n${Math.floor(ids() * 2 ** 48).toString(16)}`,
      sleep: (ms, signal) => time.sleep(ms, signal),
    },
  })
  const world = { chance, time, store, calls: new Map() }
  const started = time.now
  setClock(world, clock)
  for (let i = 0; i < workers; i++) employ(world, i, 0)
  /** @type {string[]} */
  const planIds = []
  let isReady = false
  const person = direct(world, planIds).then(() => (isReady = true))
  await time.run(() => time.now >= started + stormMs && isReady, started + stormMs * 10)
  await person
  chance.calm()
  const ended = await time.run(() => planIds.every((id) => isOver(world, id)), time.now + calmMs)
  // What is still on its way (an answer, a wake-up) arrives, and nothing may change any more.
  await time.run(() => false, time.now + 60_000)
  return examine(world, planIds, ended)
}

/** @type {WeakMap<NodeStore, Map<string, string | undefined>>} */
const seen = new WeakMap()

/** Somebody sets the clock of the machine with the store: forward, and every lease is over; back, and none ends. @param {Pick<World, 'chance' | 'time'>} world @param {{ offset: number }} clock */
function setClock({ chance, time }, clock) {
  const random = chance.stream('store clock')
  time.after(random() * 10_000, () => {
    if (chance.strikes('store clock', 0.2)) clock.offset += (random() - 0.5) * 30_000
    setClock({ chance, time }, clock)
  })
}

/** Read through the feed, so that asking costs no time. @param {World} world @param {string} planId */
function isOver({ store }, planId) {
  return ['done', 'failed', 'cancelled'].includes(seen.get(store)?.get(planId) ?? '')
}

/** @param {World} world @param {number} i @param {number} life */
function employ(world, i, life) {
  const { chance, time, store } = world
  const again = () => time.after(chance.stream(`worker-${i}`)() * 3000, () => employ(world, i, life + 1))
  const self = new Participant({ name: `worker-${i}.${life}`, time, chance, rates, onDeath: again })
  const { runtime } = self
  const options = {
    owners: [owner],
    kinds: kindsOf(world),
    slots: 2,
    perPartition: 3,
    actor: 'worker',
    leaseMs,
    pollMs: 10_000,
    runtime,
  }
  startWorker({ ...options, store: self.lineTo(store) }).catch(() => {
    if (!self.isDead) again()
  })
}

/** @param {World} world @returns {readonly StepKind[]} */
function kindsOf({ calls }) {
  /** @param {StepRun} run */
  const happen = async (run) => {
    const key = run.step.idempotencyKey ?? run.id
    calls.set(key, (calls.get(key) ?? 0) + 1)
    await run.runtime.sleep(Number(run.step.input?.['ms'] ?? 1), run.signal)
  }
  return [
    { name: 'work', run: async (run) => (await happen(run), { end: 'done', result: { by: run.id } }) },
    {
      name: 'effect',
      natureOf: () => 'effectful',
      run: async (run) => (await happen(run), { end: 'done', result: { by: run.id } }),
    },
    {
      name: 'fails',
      run: async (run) =>
        (run.step.failures ?? 0) < Number(run.step.input?.['times'])
          ? { end: 'failed', failure: { message: 'not yet' } }
          : { end: 'done' },
    },
    { name: 'spends', run: spend },
    {
      name: 'asks',
      run: async (run) =>
        run.step.answers?.['q'] === undefined
          ? { end: 'asks', question: { id: 'q', text: 'go on?', allowed: ['yes', 'no'] } }
          : { end: 'done' },
    },
  ]
}

/** Makes the plans, follows them, and meddles. @param {World} world @param {string[]} planIds */
async function direct(world, planIds) {
  const { chance, time, store } = world
  const random = chance.stream('person')
  const harness = openHarness({ store, owner, actor: 'person', runtime: { newId: () => `p${planIds.length}` } })
  void follow(world, harness)
  const count = 1 + Math.floor(random() * 3)
  for (let i = 0; i < count; i++) {
    await time.sleep(random() * 3000)
    const { planId } = await harness.createPlan({
      goal: `plan ${i}`,
      ...withBudget(randomGraph(random), chance.stream('budget')),
      partition: `p${i % 2}`,
    })
    planIds.push(planId)
    void meddle(world, harness, planId, random)
  }
}

/** @param {World} world @param {import('@agentm/harness').Harness} harness */
async function follow({ store, time, chance }, harness) {
  const status = new Map()
  seen.set(store, status)
  const random = chance.stream('answers')
  for await (const { node } of store.log.feed({ owner, after: 0 })) {
    if (node.concept === 'v1:harness:plan') status.set(node.id, node.status)
    if (node.status !== 'blocked' || node.payload['kind'] !== 'asks') continue
    void time
      .sleep(random() * 5000)
      .then(() => refusable(harness.answer(node.id, { questionId: 'q', value: 'yes', actor: 'person' })))
  }
}

/** @param {World} world @param {import('@agentm/harness').Harness} harness @param {string} planId @param {() => number} random */
async function meddle({ time, store }, harness, planId, random) {
  const by = { actor: 'person', reason: 'simulated' }
  await time.sleep(random() * 20_000)
  const dice = random()
  if (dice < 0.2) {
    await refusable(harness.pausePlan(planId, by))
    await time.sleep(random() * 10_000)
    await refusable(harness.resumePlan(planId, by))
  } else if (dice < 0.3) await refusable(harness.cancelPlan(planId, by))
  else if (dice < 0.5) {
    const { nodes } = await store.log.scan({ owner, parent: planId, concepts: ['v1:harness:step'] })
    const node = nodes[Math.floor(random() * nodes.length)]
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

/** @param {() => number} random @returns {readonly NewStep[]} */
function randomGraph(random) {
  const size = 1 + Math.floor(random() * 7)
  return Array.from({ length: size }, (_, i) => {
    const dependsOn = Array.from({ length: i }, (__, j) => `s${j}`).filter(() => random() < 0.35)
    return { key: `s${i}`, title: `s${i}`, dependsOn, retry, ...randomWork(random) }
  })
}

/** @param {() => number} random @returns {Pick<NewStep, 'kind' | 'input' | 'onUnknown'>} */
function randomWork(random) {
  const dice = random()
  const ms = random() < 0.1 ? random() * 8000 : random() * 300
  if (dice < 0.4) return { kind: 'work', input: { ms } }
  if (dice < 0.75) return { kind: 'effect', input: { ms }, onUnknown: 'fail' }
  if (dice < 0.9) return { kind: 'fails', input: { times: Math.floor(random() * 3) } }
  return { kind: 'asks' }
}

/** @param {World} world @param {readonly string[]} planIds @param {boolean} ended */
async function examine({ store, calls }, planIds, ended) {
  /** @type {string[]} */
  const broken = []
  if (!ended) broken.push('not every plan ended')
  for (const planId of planIds) {
    const plan = await store.log.latest(planId, { owner })
    if (plan === undefined || !['done', 'failed', 'cancelled'].includes(plan.status ?? ''))
      broken.push(`${planId} is ${plan?.status ?? 'absent'}`)
    if (plan !== undefined) broken.push(...(await overspent(store, plan)))
    const { nodes } = await store.log.scan({ owner, parent: planId, concepts: ['v1:harness:step'] })
    for (const head of nodes) broken.push(...(await brokenBy(store, head)), ...miscounted(head, calls))
  }
  broken.push(...(await misfolded(store)))
  return broken
}

/** @param {NodeStore} store @param {Head} head */
async function brokenBy(store, { id, status, payload }) {
  const broken = []
  const history = await store.log.history(id, { owner })
  if (status === 'running') broken.push(`${id} is left running`)
  history.forEach(
    ({ version }, i) => version === i + 1 || broken.push(`${id} has version ${version} at place ${i + 1}`),
  )
  const results = history.filter(({ provenanceMutation }) => provenanceMutation === 'completeHarnessStep')
  if (results.length > 1) broken.push(`${id} has ${results.length} accepted results`)
  if (history.filter((node) => node.status === 'done').length > 1 && results.length > 0)
    broken.push(`${id} was done more than once`)
  const attempts = history.map((node) => Number(node.payload['attempt'] ?? 0))
  if (attempts.some((attempt, i) => i > 0 && attempt < (attempts[i - 1] ?? 0))) broken.push(`${id} lost an attempt`)
  // A skip goes along the legal edges, through `running`, without running anything.
  const started =
    history.find((node) => node.status === 'running' && node.createdBy.startsWith('worker'))?.seq ?? Infinity
  for (const dependency of /** @type {readonly string[]} */ (payload['dependsOn'] ?? [])) {
    const head = await store.log.latest(dependency, { owner })
    if (started < Infinity && (head?.status !== 'done' || head.seq > started))
      broken.push(`${id} ran before ${dependency} was done`)
  }
  return broken
}

/** @param {Head} head @param {ReadonlyMap<string, number>} calls */
function miscounted({ id, status, payload }, calls) {
  const { idempotencyKey = id } = /** @type {{ idempotencyKey?: string }} */ (payload)
  const times = calls.get(idempotencyKey) ?? 0
  const result = /** @type {{ by?: unknown } | undefined} */ (payload['result'])
  if (result?.by !== undefined && times === 0) return [`${id} has a result and never ran`]
  if (payload['kind'] !== 'effect') return []
  if (times > 1) return [`${id} is effectful and ran ${times} times`]
  const failure = /** @type {{ cause?: string } | undefined} */ (payload['failure'])
  // Whoever cancels while it runs is told that it was cancelled; the intent in the log says that it may have happened. So it
  // does where a budget ends the plan.
  if (status === 'failed' && times === 1 && !['unknown', 'cancelled', 'halted'].includes(failure?.cause ?? ''))
    return [`${id} happened and is failed for ${failure?.cause}`]
  return []
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
