// @ts-check
/** Forks a plan in a process of its own, which a test kills. Says `go` before it begins, and `done` when the fork is written. */
import { harnessConcepts, openHarness } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'

const [address = '', planId = '', from = '', id = ''] = process.argv.slice(2)
const store = address.startsWith('{')
  ? await (
      await import('@agentm/nodes-postgres')
    ).openPostgresStore({ ...JSON.parse(address), concepts: harnessConcepts })
  : await openSqliteStore({ path: address, concepts: harnessConcepts })
const harness = openHarness({ store, owner: 'ada', actor: 'forker' })
process.stdout.write('go\n')
await harness.forkPlan(planId, { from, id })
process.stdout.write('done\n')
await store.close()
