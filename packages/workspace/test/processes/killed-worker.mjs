/**
 * A worker process for functions that kills itself with SIGKILL at every place where it waits for the log: before a write of a journal,
 * and after it. Each place is used once, whichever process comes there first: a file says that it was used.
 */
import { harnessConcepts, startWorker } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { killedFunctions } from './killed-function.mjs'

const [address = '', directory = ''] = process.argv.slice(2)
const store = address.startsWith('{')
  ? await (
      await import('@agentm/nodes-postgres')
    ).openPostgresStore({ ...JSON.parse(address), concepts: harnessConcepts })
  : await openSqliteStore({ path: address, concepts: harnessConcepts })

/** @param {string} point */
function killHere(point) {
  try {
    closeSync(openSync(path.join(directory, 'killed', encodeURIComponent(point)), 'wx'))
  } catch {
    return
  }
  process.kill(process.pid, 'SIGKILL')
}

/** What a write is about, in words that are the same in every process. @type {(drafts: readonly import('@agentm/nodes').Draft[]) => string} */
const pointOf = (drafts) =>
  drafts
    .map(({ mutation, payload }) =>
      [mutation, payload['position'], payload['op'], payload['name'], payload['status'], payload['goal']].join(' '),
    )
    .join(', ')

/** @type {typeof store.log.append} */
const append = async (drafts, options) => {
  const point = pointOf(drafts)
  killHere(`before ${point}`)
  const nodes = await store.log.append(drafts, options)
  killHere(`after ${point}`)
  return nodes
}

await startWorker({
  store: { ...store, log: { ...store.log, append } },
  owners: ['ada'],
  kinds: Object.values(killedFunctions(directory, killHere)),
  leaseMs: 2000,
  pollMs: 500,
  onError: (error) => console.error(error),
})
