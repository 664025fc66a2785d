// @ts-check
/**
 * A PgBouncer of our own before a server of our own, in transaction mode: run as an ordinary user in a temporary
 * directory, on a socket of its own, and stopped by its process id.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { guard } from './guard.mjs'
import { freePort, ordinaryUser } from './postgres-server.mjs'

/** Where it is installed, or why it cannot be used. @returns {{ readonly bin: string } | string} */
export function findPgbouncer() {
  const places = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(path.delimiter)]
  const bin = places.map((place) => path.join(place, 'pgbouncer')).find((file) => existsSync(file))
  return bin === undefined
    ? 'no PgBouncer is installed here; tools/postgres.sh installs one on Debian, as root'
    : { bin }
}

/**
 * Few connections to the server, so that clients have to share them.
 * @param {{ readonly bin: string }} installed
 * @param {{ readonly home: string, readonly port: number }} server
 */
export async function startPgbouncer({ bin }, server) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'agentm-pgb-'))
  const who = ordinaryUser()
  const port = await freePort()
  const settings = path.join(home, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
postgres = host=${server.home} port=${server.port} user=tester dbname=postgres
[pgbouncer]
listen_addr =
listen_port = ${port}
unix_socket_dir = ${home}
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 500
logfile = ${path.join(home, 'log')}
`,
  )
  if (who !== undefined) for (const place of [home, settings]) chownSync(place, who.uid, who.gid)
  const child = spawn(bin, [settings], { ...who, cwd: home, stdio: 'ignore' })
  // A forgotten one must not keep its starter from ending.
  child.unref()
  guard(child, { scratch: home })
  await untilListening(child, path.join(home, `.s.PGSQL.${port}`), path.join(home, 'log'))
  return {
    home,
    port,
    url: `postgres://tester@localhost/postgres?host=${encodeURIComponent(home)}&port=${port}`,
    async stop() {
      child.ref()
      const closed = child.exitCode === null && child.signalCode === null ? once(child, 'close') : undefined
      child.kill('SIGTERM')
      await closed
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** @param {import('node:child_process').ChildProcess} child @param {string} socket @param {string} log */
async function untilListening(child, socket, log) {
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null)
      throw new Error(`PgBouncer ended at once: ${existsSync(log) ? readFileSync(log, 'utf8') : ''}`)
    if (existsSync(socket) && (await answers(socket))) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('PgBouncer did not answer within 10 seconds')
}

/** @param {string} socket @returns {Promise<boolean>} */
async function answers(socket) {
  const client = connect(socket)
  try {
    await once(client, 'connect')
    return true
  } catch {
    return false
  } finally {
    client.destroy()
  }
}
