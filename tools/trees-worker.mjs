// @ts-check
/** A worker process whose steps work in trees. It says `up` once it works, and is not meant to end by itself. */
import { checkKind, commandKind, harnessConcepts, startWorker } from '@agentm/harness'
import { inTrees, mergeKind, openTrees } from '@agentm/harness/trees'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { endWithParent } from './end-with-parent.mjs'

endWithParent()
const { database, root, folder, slots, atOnce, leaseMs, agents } = JSON.parse(process.argv[2] ?? '{}')
const store = await openSqliteStore({ path: database, concepts: harnessConcepts })
const trees = openTrees({ log: store.log, root })
const { kind, directoryOf } = inTrees(trees)
const own = agents === undefined ? [] : (await import('./eval/crew/kinds.mjs')).crewKinds(agents, store)
await startWorker({
  store,
  owners: ['ada'],
  kinds: [commandKind(), checkKind(), mergeKind(trees), ...own].map(kind),
  directoryOf: async (run) => (await directoryOf(run)) ?? folder,
  slots,
  perPartition: atOnce,
  leaseMs,
  pollMs: 500,
  onError: (error) => console.error(error),
})
console.log('up')
