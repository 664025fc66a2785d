// @ts-check
/** Opens a filled store, asks one question, and says how many milliseconds that took. */
import { sampleConcepts } from '@agentm/conformance/logs'
import { openPostgresStore } from '@agentm/nodes-postgres'
import { embedder, generator } from '../nodes/data.mjs'

const [url = '', schema = '', vectors] = process.argv.slice(2)
const from = generator(17)
const query = { owner: 'ada', text: from.text(6), vector: { embedder, values: from.vector() } }
const started = performance.now()
const store = await openPostgresStore({
  url,
  schema,
  concepts: sampleConcepts,
  vectors: vectors === 'scan' ? 'scan' : 'auto',
})
await store.recall.recall(query)
console.log(performance.now() - started)
await store.close()
