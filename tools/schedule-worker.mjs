// @ts-check
/**
 * A worker process for the races of schedules. It runs `tick` steps, which are done at once. With the argument `told`, its clock
 * stands still until its parent sends it a time; else it is the real one.
 */
import { systemRuntime } from '@agentm/agent-loop'
import { harnessConcepts, startWorker } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { toldClock } from './told-clock.mjs'

const [address = '', actor = 'worker', clock = 'real'] = process.argv.slice(2)
const runtime = clock === 'told' ? { ...systemRuntime, ...toldClock() } : systemRuntime
const concepts = harnessConcepts
// A file, or where a server is, as JSON.
const store = address.startsWith('{')
  ? await (await import('@agentm/nodes-postgres')).openPostgresStore({ ...JSON.parse(address), concepts, runtime })
  : await openSqliteStore({ path: address, concepts, runtime })

await startWorker({
  store,
  actor,
  owners: ['ada'],
  kinds: [{ name: 'tick', run: async () => ({ end: 'done' }) }],
  runtime,
  // A told clock leaps over days, and no lease may end by that.
  leaseMs: clock === 'told' ? 4_000_000_000 : 1500,
  onError: (error) => console.error(error),
})
process.send?.('up')
console.log('up')
process.on('disconnect', () => process.exit())
