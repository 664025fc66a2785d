// @ts-check
/**
 * A worker process with one coding agent, as a test describes it in JSON. It says `up` once it works, and is not meant to end by itself.
 */
import { codingAgentKind } from '@agentm/coding-agents'
import { harnessConcepts, startWorker } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'

const { file, name, directory, price, ...options } = JSON.parse(process.argv[2] ?? '{}')
const store = await openSqliteStore({ path: file, concepts: harnessConcepts })
await startWorker({
  store,
  owners: ['ada'],
  kinds: [codingAgentKind(name, { ...options, priceOf: () => price })],
  directoryOf: async () => directory,
  slots: 1,
  leaseMs: 600_000,
  facts: { pid: `${process.pid}` },
  onError: (error) => console.error(error),
})
console.log('up')
