// @ts-check
/** Removes the plans that were written before a time, and says how many nodes are gone after every transaction. */
import { harnessConcepts as concepts } from '@agentm/harness/concepts'
import { chooseGroups } from '@agentm/harness/retention'
import { openSqliteStore } from '@agentm/nodes-sqlite'

const [path = '', before = '0'] = process.argv.slice(2)
const store = await openSqliteStore({ path, concepts })
const chosen = await chooseGroups({ store, owner: 'ada', concepts }, { rule: { before: Number(before) } })
const removal = await chosen.remove({ onProgress: ({ nodes }) => process.stdout.write(`${nodes}\n`) })
await store.log.reclaim()
await store.close()
process.stdout.write(`${JSON.stringify(removal)}\n`)
