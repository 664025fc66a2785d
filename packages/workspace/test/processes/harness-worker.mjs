/**
 * A worker process for the kill loop. It runs `http` steps, and `nap` steps that take a few milliseconds; it says `up`
 * once it works, and is not meant to end by itself.
 */
import { harnessConcepts, httpKind, startWorker } from '@agentm/harness'
import { openSqliteLog } from '@agentm/nodes-sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

const [path = '', leaseMs = '10000'] = process.argv.slice(2)
const store = await openSqliteLog({ path: /** @type {any} */ (path), concepts: harnessConcepts })

/** @type {import('@agentm/harness').StepKind} */
const nap = {
  name: 'nap',
  async run({ signal, step }) {
    await sleep(Number(step.input?.['ms'] ?? 5), undefined, { signal })
    return { end: 'done', result: { napped: true } }
  },
}

await startWorker({
  store,
  owners: ['ada'],
  kinds: [httpKind(), nap],
  leaseMs: Number(leaseMs),
  pollMs: 2000,
  facts: { pid: `${process.pid}` },
  onError: (error) => console.error(error),
})
console.log('up')
