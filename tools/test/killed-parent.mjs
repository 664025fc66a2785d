// @ts-check
/** Starts what a tool starts, says so, and waits to be killed. Arguments: what, and a directory of its own. */
import path from 'node:path'
import { startWorkerProcess } from '../bench/harness/worker-processes.mjs'
import { nextMessage, start } from '../bench/storage/team.mjs'
import { findPgbouncer, startPgbouncer } from '../pgbouncer.mjs'
import { findPostgres, startPostgres } from '../postgres-server.mjs'
import { run } from '../run.mjs'

const [what = '', scratch = ''] = process.argv.slice(2)

/** @type {Readonly<Record<string, () => Promise<unknown>>>} */
const starts = {
  'a worker of the benchmarks': () => startWorkerProcess({ file: path.join(scratch, 'log.db') }, () => undefined),
  'a writer of the benchmarks': () =>
    nextMessage(start('write-worker.mjs', ['device-local', path.join(scratch, 'store')], scratch)),
  'a program in the foreground': async () => void run('sleep', ['300']),
  'a PostgreSQL server': postgres,
  'a PgBouncer': async () => {
    const bouncer = findPgbouncer()
    if (typeof bouncer === 'string') throw new Error(bouncer)
    await startPgbouncer(bouncer, await postgres())
  },
}

await starts[what]?.()
console.log('started')
setInterval(() => undefined, 60_000)

async function postgres() {
  const found = findPostgres()
  if (typeof found === 'string') throw new Error(found)
  return startPostgres(found)
}
