// @ts-check
/** Opens a store, uses it, and closes it when its input ends. */
import { sampleConcepts } from '@agentm/conformance/logs'
import { openPostgresStore } from '@agentm/nodes-postgres'

const store = await openPostgresStore({ ...JSON.parse(process.argv[2] ?? ''), concepts: sampleConcepts })
await Promise.all([1, 2, 3].map(async () => store.log.scan({ owner: 'ada' })))
console.log('open')
process.stdin.resume().on('end', () => void store.close())
