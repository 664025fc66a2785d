// @ts-check
/** What a worker writes for a function that sleeps, taken from one that really ran, so that it can be written for many others. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { harnessConcepts, openHarness, startWorker } from '@agentm/harness'
import { composeId, deriveId } from '@agentm/nodes'
import { nap } from './nap.mjs'

/** @typedef {import('@agentm/nodes').Draft} Draft */
/** @typedef {import('@agentm/nodes').Node} Node */
/** @typedef {{ readonly name: string, readonly until: number }} Sleeper */

const owner = 'ada'
const [planName, stepName, entryName] = ['v1:harness:plan', 'v1:harness:step', 'v1:harness:entry']
/** It sleeps longer than a worker will ever run, and its name occurs nowhere else. */
const model = { name: 'the-model-of-all-naps', until: 4_102_444_800_000 }
/** Fields that the store sets. */
const setByStore = ['ownerUserId', 'provenanceMutation']

/** @returns {Promise<(sleeper: Sleeper) => readonly Draft[]>} the versions of any other such function, up to its sleep */
export async function recordedNap() {
  const store = createInMemoryStore({ concepts: harnessConcepts })
  const kind = nap(() => undefined)
  const worker = await startWorker({ store, owners: [owner], kinds: [kind] })
  await openHarness({ store, owner, actor: 'bench' }).start(kind, model, { id: model.name })
  await worker.idle()
  await worker.stop()
  const { nodes } = await store.log.scan({ owner, versions: 'all' })
  await store.close()
  const { key } = kind.step(model)
  const idsOf = (/** @type {string} */ name) => {
    const plan = composeId(planName, name)
    const step = deriveId(stepName, plan, key)
    return { plan, step, entry: deriveId(entryName, step, '0') }
  }
  const text = JSON.stringify(draftsOf(nodes))
  const known = idsOf(model.name)
  return ({ name, until }) => {
    const ids = idsOf(name)
    const written = text
      .replaceAll(known.entry, ids.entry)
      .replaceAll(known.step, ids.step)
      // The part of the step's id that is its idempotency key.
      .replaceAll(known.step.slice(-32), ids.step.slice(-32))
      .replaceAll(model.name, name)
      .replaceAll(String(model.until), String(until))
    return JSON.parse(written)
  }
}

/** @param {readonly Node[]} nodes @returns {readonly Draft[]} */
function draftsOf(nodes) {
  /** @type {Map<string, Node>} */
  const before = new Map()
  return nodes.map((node) => {
    const { id, concept, payload, provenanceMutation: mutation } = node
    const known = Object.keys(before.get(id)?.payload ?? {})
    before.set(id, node)
    const fields = Object.entries(payload).filter(([field]) => !setByStore.includes(field))
    const unset = known.filter((field) => !(field in payload))
    return { concept, id, payload: Object.fromEntries(fields), mutation, unset }
  })
}
