// @ts-check
import { embedder, generator } from './data.mjs'
import { openOurs } from './filled.mjs'

const from = generator(17)
const [directory = ''] = process.argv.slice(2)
const query = { owner: 'ada', text: from.text(6), halfLife: 7 * 24 * 3600, vector: { embedder, values: from.vector() } }
const started = performance.now()
const store = await openOurs(directory)
const { hits } = await store.recall.recall(query)
const elapsed = performance.now() - started
if (hits.length !== 10) throw new Error(`${hits.length} hits where 10 were expected`)
console.log(elapsed)
await store.close()
