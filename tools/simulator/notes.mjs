// @ts-check
/**
 * Two devices and one store of notes: each saves, supersedes and forgets, people edit files by hand, and calls fail, hang and come
 * twice. Afterwards both devices find every note that was kept, and none that was forgotten.
 */
import { InMemoryBackend } from '@agentm/conformance'
import { createInMemoryTables } from '@agentm/conformance/logs'
import { openMemory } from '@agentm/memory'
import { contentHash, storeMarkerKey } from '@agentm/storage-seam'
import { Participant, usualRates } from './participant.mjs'
import { VirtualTime } from './virtual-time.mjs'

/**
 * @typedef {import('@agentm/memory').Memory} Memory
 * @typedef {import('./seeded.mjs').Chance} Chance
 * @typedef {{ readonly word: string, readonly key: string | undefined, state: 'kept' | 'forgotten' | 'unsure' }} Kept
 * @typedef {{ readonly chance: Chance, readonly time: VirtualTime, readonly backend: InMemoryBackend, readonly kept: Kept[], readonly until: number }} World
 */

const stormMs = 30_000
const storeId = 'simulated'
// An index is on the device's own disk: what can break there is the process, and the disk being full.
const indexRates = { ...usualRates, lostAnswer: 0, slow: 0.005 }

/** @type {Promise<void> | undefined} */
let rehearsal

/**
 * Parts of the memory are loaded when they are first asked for, and that takes time of the real world, in which simulated time
 * would go on: everything is asked for once before.
 */
async function rehearse() {
  const time = new VirtualTime()
  const backend = new InMemoryBackend({ now: () => time.now / 1000 })
  const memory = openMemory(optionsOf({ time }, { index: createInMemoryTables(), backend }))
  await backend.write(backend.resolve(storeMarkerKey), JSON.stringify({ id: storeId }))
  await backend.write(
    backend.resolve('projects/acme/fact/by-hand.md'),
    '---\ntags: [ "by:", hand ]\n---\nThe kettle sings.\n',
  )
  const { key } = await memory.save({ text: 'The lamp is on the shelf.', kind: 'fact' })
  await memory.recall({ text: 'kettle' })
  await memory.forget(key)
}

/** @param {Chance} chance @returns {Promise<readonly string[]>} */
export async function simulateNotes(chance) {
  await (rehearsal ??= rehearse())
  const time = new VirtualTime()
  const backend = new InMemoryBackend({ now: () => time.now / 1000 })
  await backend.write(backend.resolve(storeMarkerKey), JSON.stringify({ id: storeId }))
  const world = { chance, time, backend, kept: [], until: time.now + stormMs }
  const devices = [0, 1].map(() => createInMemoryTables())
  devices.forEach((device, i) => employ(world, device, i, 0))
  await time.run(() => time.now >= world.until, world.until)
  chance.calm()
  await time.run(() => false, time.now + 120_000)
  const memories = devices.map((index) => openMemory(optionsOf(world, { index, backend })))
  const broken = []
  for (const [i, memory] of memories.entries()) broken.push(...(await missing(world, memory, i)))
  return broken
}

/**
 * @param {Pick<World, 'time'>} world
 * @param {{ index: import('@agentm/nodes/store-kit').ByteTables, backend: import('@agentm/storage-seam').StorageBackend, runtime?: object }} parts
 */
function optionsOf({ time }, parts) {
  const runtime = { now: () => time.now, random: () => 0.5, sleep: () => Promise.resolve() }
  return { storeId, owner: 'ada', project: { slug: 'acme' }, runtime, scanBudgetMs: 3_600_000, ...parts }
}

/** @param {World} world @param {import('@agentm/nodes/store-kit').ByteTables} device @param {number} i @param {number} life */
function employ(world, device, i, life) {
  const { chance, time, backend, until } = world
  const random = chance.stream(`device-${i}`)
  const again = () => time.after(random() * 2000, () => employ(world, device, i, life + 1))
  const self = new Participant({ name: `device-${i}.${life}`, time, chance, onDeath: again })
  const disk = new Participant({ name: `index-${i}.${life}`, time, chance, rates: indexRates, onDeath: again })
  const index = disk.lineToTables(device)
  const memory = openMemory(optionsOf(world, { index, backend: self.lineToBackend(backend), runtime: self.runtime }))
  const work = async () => {
    while (time.now < until && !self.isDead && !disk.isDead) {
      await self.runtime.sleep(random() * 1500)
      await act(world, memory, random)
    }
  }
  void work()
}

/** @param {World} world @param {Memory} memory @param {() => number} random */
async function act(world, memory, random) {
  const dice = random()
  const some = world.kept.filter(({ state, key }) => state === 'kept' && key !== undefined)
  const one = some[Math.floor(random() * some.length)]
  if (dice < 0.5 || one?.key === undefined) return save(world, memory, random)
  if (dice < 0.65) return forget(memory, { ...one, key: one.key }, (state) => (one.state = state))
  if (dice < 0.8) return edit(world, one)
  await memory.recall({ text: one.word }).catch(() => undefined)
}

/** @param {World} world @param {Memory} memory @param {() => number} random */
async function save({ kept }, memory, random) {
  const word = wordOf(kept.length)
  const text = `The ${word} is kept on shelf ${Math.floor(random() * 90)}.`
  /** @type {Kept} */
  const entry = { word, key: undefined, state: 'unsure' }
  const at = kept.push(entry) - 1
  try {
    const { key } = await memory.save({ text, kind: 'fact', title: `About ${word}` })
    kept[at] = { word, key, state: 'kept' }
  } catch {
    // It may be there or not: nobody was told that it is.
  }
}

/** @param {Memory} memory @param {{ readonly key: string }} note @param {(state: Kept['state']) => void} become */
async function forget(memory, { key }, become) {
  become('unsure')
  try {
    await memory.forget(key)
    become('forgotten')
  } catch {
    // Nobody was told that it is forgotten.
  }
}

/** A person changes the file in an editor. @param {World} world @param {Kept} note */
async function edit({ backend, kept }, note) {
  const at = backend.resolve(note.key ?? '')
  const word = wordOf(kept.length)
  const text = await backend.read(at).catch(() => undefined)
  if (text === undefined || note.state !== 'kept') return
  // An editor that notices when the file changed under it: one that does not may bring back what was forgotten.
  const written = await backend
    .write(at, `${text}\nSomebody added: ${word}.\n`, { ifHash: contentHash(text) })
    .catch(() => undefined)
  if (written === undefined) return
  kept.push({ word, key: note.key, state: 'kept' })
}

/** @param {World} world @param {Memory} memory @param {number} device */
async function missing({ kept }, memory, device) {
  const broken = []
  const gone = new Set(kept.filter(({ state }) => state !== 'kept').map(({ key }) => key))
  for (const { word, key, state } of kept) {
    const { results } = await memory.recall({ text: word, k: 50 })
    const says = results.map(({ text, passage = '' }) => `${text} ${passage}`.includes(word))
    // The word is in one note only; found first, or not by it.
    if (state === 'kept' && !gone.has(key) && says[0] !== true)
      broken.push(`device ${device} does not find "${word}" of ${key}`)
    if (state === 'forgotten' && says.includes(true))
      broken.push(`device ${device} finds "${word}", which was forgotten`)
  }
  return broken
}

/** No word of any language, and never the same, so that nothing else is found by it. @param {number} n */
function wordOf(n) {
  const syllables = ['zor', 'bik', 'mal', 'tev', 'quo', 'rix', 'gam', 'lun', 'pav', 'dwe']
  return Array.from(`${10_000 + n}`, (digit) => syllables[Number(digit)]).join('')
}
