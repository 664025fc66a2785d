// @ts-check
/**
 * Episodes of two owners and two projects, and three schedulers that consolidate them while they crash, stand still and mishear,
 * with a distiller that fails now and then. Afterwards every episode has to be in one belief, and in no other.
 */
import { consolidate, consolidationCursor } from '@agentm/learning'
import { observation, semanticMemory } from '@agentm/memory'
import { Participant } from './participant.mjs'
import { simulatedStore } from './simulated-store.mjs'
import { VirtualTime } from './virtual-time.mjs'

/**
 * @typedef {import('@agentm/nodes').NodeStore} NodeStore
 * @typedef {import('@agentm/learning').Distiller} Distiller
 * @typedef {import('./seeded.mjs').Chance} Chance
 * @typedef {{ readonly chance: Chance, readonly time: VirtualTime, readonly store: NodeStore, readonly settings: object }} World
 */

const owners = ['ada', 'bob']
const partitions = ['acme', 'zeta']
const stormMs = 60_000
const statements = [
  'The staging database listens on port 5433.',
  'Margherita prefers tabs over spaces in makefiles.',
  'Deployments happen on Thursday after lunch.',
  'Integration tests need the fake payment gateway.',
  'The changelog is written by hand before each release.',
  'Nobody merges while the nightly build is red.',
]

/** @param {Chance} chance @returns {Promise<readonly string[]>} */
export async function simulateBeliefs(chance) {
  const time = new VirtualTime()
  const random = chance.stream('store')
  const store = simulatedStore(chance, time, { concepts: [observation, semanticMemory, consolidationCursor] })
  const settings = { leaseMs: 3000, batchMax: 2 + Math.floor(random() * 6), batchesPerRun: 3 }
  const world = { chance, time, store, settings }
  const began = time.now
  for (let i = 0; i < 3; i++) employ(world, i, 0, began + stormMs)
  void tell(world, began + stormMs)
  await time.run(() => time.now >= began + stormMs, began + stormMs)
  chance.calm()
  await time.run(() => false, time.now + 120_000)
  const finished = await settle(world)
  return [...finished, ...(await examine(store))]
}

/** @param {World} world @param {number} until */
async function tell({ chance, time, store }, until) {
  const random = chance.stream('teller')
  for (let i = 0; time.now < until; i++) {
    await time.sleep(random() * 6000)
    const content = statements[Math.floor(random() * statements.length)]
    const owner = owners[Math.floor(random() * owners.length)] ?? ''
    const partition = partitions[Math.floor(random() * partitions.length)] ?? ''
    const draft = {
      concept: observation.name,
      id: `o${i}`,
      payload: { kind: 'note', content },
      mutation: 'recordHarnessObservation',
    }
    await store.log.append([draft], { owner, actor: 'teller', partition })
  }
}

/** @param {World} world @param {number} i @param {number} life @param {number} until */
function employ(world, i, life, until) {
  const { chance, time, store, settings } = world
  const random = chance.stream(`scheduler-${i}`)
  const again = () => time.after(random() * 3000, () => employ(world, i, life + 1, until))
  const self = new Participant({ name: `scheduler-${i}.${life}`, time, chance, onDeath: again })
  const distiller = distillerOf(() => chance.strikes(`scheduler-${i}.${life} distiller`, 0.1))
  const options = { store: self.lineTo(store), runtime: self.runtime, settings, distiller }
  const work = async () => {
    while (time.now < until) {
      await self.runtime.sleep(random() * 8000)
      const owner = owners[Math.floor(random() * owners.length)] ?? ''
      const scheduledFor = Math.floor(time.now / 10_000) * 10_000
      await consolidate(options, { owner, ...(random() < 0.5 && { scheduledFor }) }).catch(() => undefined)
    }
  }
  void work()
}

/** Keeps what is said, word for word, and everything. @param {() => boolean} fails @returns {Distiller} */
function distillerOf(fails) {
  return {
    name: 'simulated',
    leastEpisodes: 1,
    async distill({ episodes }) {
      if (fails()) throw new Error('the distiller is not in the mood')
      return { distilled: true, kind: 'fact', content: episodes[0]?.content ?? '', confidence: 0.6 }
    },
  }
}

/** Runs until nothing is left to read. @param {World} world */
async function settle({ time, store, settings }) {
  const runtime = {
    now: () => time.now,
    random: () => 0.5,
    newId: () => `s${Math.random()}`,
    sleep: () => Promise.resolve(),
  }
  for (const owner of owners) {
    const left = await settleOne({ store, settings, runtime, distiller: distillerOf(() => false) }, owner)
    if (left !== undefined) return [`${owner}: ${left}`]
  }
  return []
}

/** @param {import('@agentm/learning').ConsolidationOptions} options @param {string} owner */
async function settleOne(options, owner) {
  for (let i = 0; i < 50; i++) {
    const { outcome, episodes, more, failed } = await consolidate(options, { owner })
    if (outcome === 'busy') return 'a run that died still keeps the others out'
    if (failed.length > 0) return `a cluster failed without a fault: ${failed[0]?.why}`
    if (outcome === 'idle' || (episodes === 0 && !more)) return undefined
  }
  return 'it never came to an end'
}

/** @param {NodeStore} store */
async function examine(store) {
  const broken = []
  for (const owner of owners) {
    const episodes = (await store.log.scan({ owner, concepts: [observation.name], limit: 10_000 })).nodes
    const beliefs = (await store.log.scan({ owner, concepts: [semanticMemory.name], limit: 10_000 })).nodes
    const home = new Map(episodes.map(({ id, partition }) => [id, partition]))
    const times = new Map(episodes.map(({ id }) => [id, 0]))
    for (const { id, partition, payload } of beliefs) {
      const { sourceEpisodes: sources, reinforceCount } = asBelief(payload)
      for (const source of sources) {
        times.set(source, (times.get(source) ?? 0) + 1)
        if (home.get(source) !== partition)
          broken.push(`${id} of ${partition} rests on ${source} of ${home.get(source)}`)
      }
      if (reinforceCount > sources.length)
        broken.push(`${id} was reinforced ${reinforceCount} times by ${sources.length} episodes`)
    }
    for (const [id, count] of times) if (count !== 1) broken.push(`${owner}: ${id} is in ${count} beliefs`)
    const said = beliefs
      .filter(({ status }) => status === 'active')
      .map(({ partition, payload }) => `${partition}: ${asBelief(payload).content}`)
    if (new Set(said).size < said.length) broken.push(`${owner} believes one thing twice: ${said.join(' | ')}`)
    broken.push(...(await backwards(store, owner)))
  }
  return broken
}

/** @param {unknown} payload */
function asBelief(payload) {
  return /** @type {{ sourceEpisodes: readonly string[], reinforceCount: number, content: string }} */ (payload)
}

/** @param {NodeStore} store @param {string} owner */
async function backwards({ log }, owner) {
  const { nodes } = await log.scan({ owner, concepts: [consolidationCursor.name], versions: 'all', limit: 10_000 })
  const places = nodes.map(({ payload }) => Number(payload['afterSequence']))
  return places.some((place, i) => i > 0 && place < (places[i - 1] ?? 0)) ? [`the cursor of ${owner} went back`] : []
}
