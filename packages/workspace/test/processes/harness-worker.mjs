/**
 * A worker process for the kill loop. It runs `http` steps, and `nap` steps that take a few milliseconds; it says `up`
 * once it works, and is not meant to end by itself.
 */
import { harnessConcepts, httpKind, startWorker, threadHeartbeat } from '@agentm/harness'
import { openSqliteStore } from '@agentm/nodes-sqlite'
import { Worker } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'

const [path = '', leaseMs = '10000', beat = 'timer'] = process.argv.slice(2)
const entry = new URL('heartbeat-entry.mjs', import.meta.url)
// A file, or where a server is, as JSON.
const store = path.startsWith('{')
  ? await (await import('@agentm/nodes-postgres')).openPostgresStore({ ...JSON.parse(path), concepts: harnessConcepts })
  : await openSqliteStore({ path: path, concepts: harnessConcepts })

/** @type {import('@agentm/harness').StepKind} */
const nap = {
  name: 'nap',
  async run({ signal, step }) {
    await sleep(Number(step.input?.['ms'] ?? 5), undefined, { signal })
    return { end: 'done', result: { napped: true } }
  },
}

/** Looks at no signal, and comes back with a result whatever happened meanwhile.
 * @type {import('@agentm/harness').StepKind}
 */
const deaf = {
  name: 'deaf',
  async run({ step }) {
    console.log('started')
    await sleep(Number(step.input?.['ms'] ?? 0))
    return { end: 'done', result: { attempt: step.attempt, pid: process.pid } }
  },
}

/** Blocks the event loop of this process.
 * @type {import('@agentm/harness').StepKind}
 */
const block = {
  name: 'block',
  async run({ step }) {
    const until = Date.now() + Number(step.input?.['ms'] ?? 0)
    while (Date.now() < until);
    return { end: 'done', result: { attempt: step.attempt, pid: process.pid } }
  },
}

await startWorker({
  store,
  owners: ['ada'],
  kinds: [httpKind(), nap, deaf, block],
  ...(beat === 'thread'
    ? { heartbeat: threadHeartbeat({ startThread: () => new Worker(entry, { workerData: { path } }) }) }
    : {}),
  leaseMs: Number(leaseMs),
  pollMs: 2000,
  facts: { pid: `${process.pid}` },
  onError: (error) => console.error(error),
})
console.log('up')
