// @ts-check
/** One worker process of the evaluation whose steps a coding agent from npm carries out. It is killed at any time. */
import { codingAgentKind } from '@agentm/coding-agents'
import { commandKind, harnessConcepts, startWorker } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { endWithParent } from '../../end-with-parent.mjs'
import { leaseMs, owner } from './plan.mjs'

const { database, name, directory, price, ...options } = JSON.parse(process.argv[2] ?? '{}')
endWithParent()
const store = await openSqliteStore({ path: database, concepts: harnessConcepts })
await startWorker({
  store,
  owners: [owner],
  kinds: [codingAgentKind(name, { ...options, priceOf: () => price }), commandKind()],
  directoryOf: async () => directory,
  leaseMs,
  onError: (error) => console.error(error),
})
