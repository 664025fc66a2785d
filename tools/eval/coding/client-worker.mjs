// @ts-check
/** One worker process of the evaluation whose steps a coding agent from npm carries out. It is killed at any time. */
import { codingAgentKind } from '@agentm/coding-agents'
import { commandKind, harnessConcepts, startWorker } from '@agentm/harness'
import { inTrees, mergeKind, openTrees } from '@agentm/harness/trees'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { endWithParent } from '../../end-with-parent.mjs'
import { leaseMs, owner } from './plan.mjs'

const { database, name, treesAt, price, ...options } = JSON.parse(process.argv[2] ?? '{}')
endWithParent()
const store = await openSqliteStore({ path: database, concepts: harnessConcepts })
const trees = openTrees({ log: store.log, root: treesAt })
const { kind, directoryOf } = inTrees(trees)
await startWorker({
  store,
  owners: [owner],
  kinds: [codingAgentKind(name, { ...options, priceOf: () => price }), commandKind(), mergeKind(trees)].map(kind),
  directoryOf: async (run) => (await directoryOf(run)) ?? treesAt,
  leaseMs,
  onError: (error) => console.error(error),
})
