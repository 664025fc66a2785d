// @ts-check
/**
 * A PostgreSQL server of our own, for tests and benchmarks: found among the installed ones, run as an ordinary user in a
 * temporary directory, on a socket of its own, and stopped by its process id.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { guard } from './guard.mjs'

/** @typedef {{ readonly bin: string, readonly version: number }} Installed */

/**
 * @typedef {object} OwnPostgres
 * @property {string} says where it came from, for the reader of a run
 * @property {string} bin the directory of its programs, such as psql
 * @property {boolean} hasVectors pgvector is installed with it
 * @property {string} home the directory of its socket
 * @property {number} port
 * @property {string} url over the socket, as its superuser, without a password
 * @property {string} password what it asks for over the loopback network
 * @property {string} tcp the URL over the loopback network
 * @property {() => readonly string[]} logged what the server logged, by line, each beginning with the database
 * @property {() => string} newSchema a schema that nobody else uses
 * @property {() => Promise<void>} kill at once: open transactions are lost, and it recovers at the next start
 * @property {() => Promise<void>} start
 * @property {() => Promise<void>} stop for good; its directory goes too
 * @property {() => void} abandon the same without waiting, for the very end of a process
 */

/** Installs a server with pgvector where that is possible; one that the caller named, or that is complete, is left alone. */
export function installPostgres() {
  if (process.env['AGENTM_TEST_POSTGRES'] !== undefined) return
  const found = findPostgres()
  if (typeof found !== 'string' && offersVectors(found)) return
  const script = path.join(import.meta.dirname, 'postgres.sh')
  const { status, stdout } = spawnSync('sh', [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  console.error(
    status === 0
      ? stdout.trimEnd().split('\n').at(-1)
      : `not installed: tools/postgres.sh failed; run it by itself to see why`,
  )
}

/** The best installed server, or why there is none. @returns {Installed | string} */
export function findPostgres() {
  const named = process.env['AGENTM_TEST_POSTGRES']
  const homes = [
    ...(named === undefined ? [] : [named]),
    ...versionsBelow('/usr/lib/postgresql'),
    ...versionsBelow('/opt/homebrew/opt'),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ]
  const usable = homes
    .filter((bin) => existsSync(path.join(bin, 'initdb')) && existsSync(path.join(bin, 'postgres')))
    .map((bin) => ({ bin: realpathSync(bin), version: versionOf(bin) }))
    .filter(({ version }) => version >= 15)
    // Among several servers the one with pgvector is taken: it can be asked everything.
    .toSorted((a, b) => Number(offersVectors(b)) - Number(offersVectors(a)) || b.version - a.version)
  return (
    usable[0] ??
    'no PostgreSQL 15 or newer is installed here; run tools/postgres.sh as root on Debian, or set AGENTM_TEST_POSTGRES to a directory with initdb and postgres'
  )
}

/** @param {Installed} installed @returns {Promise<OwnPostgres>} */
export async function startPostgres(installed) {
  const home = mkdtempSync(path.join(os.tmpdir(), 'agentm-pg-'))
  const who = ordinaryUser()
  if (who !== undefined) chownSync(home, who.uid, who.gid)
  const data = path.join(home, 'data')
  const password = 'correct horse'
  const as = { ...who, cwd: home, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } }
  const init =
    'printf %s "$3" > "$2.password" && exec "$1/initdb" -D "$2" -U tester --no-locale -E UTF8 --no-sync ' +
    '--auth-local=trust --auth-host=scram-sha-256 --pwfile="$2.password" > "$2.log"'
  execFileSync('/bin/sh', ['-c', init, 'sh', installed.bin, data, password], as)
  const port = await freePort()
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let server
  let schemas = 0

  async function start() {
    const log = openSync(path.join(home, 'log'), 'a')
    const settings = [
      'listen_addresses=127.0.0.1',
      'max_connections=120',
      'log_min_messages=log',
      'log_line_prefix=%d ',
    ]
    const child = spawn(
      path.join(installed.bin, 'postgres'),
      ['-D', data, '-k', home, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
      { ...as, stdio: ['ignore', 'ignore', log] },
    )
    closeSync(log)
    // A forgotten server must not keep its starter from ending.
    child.unref()
    guard(child, { signal: 'QUIT', scratch: home })
    server = child
    await untilReady(child, { home, port })
  }

  async function end() {
    const child = server
    server = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.ref()
    const closed = once(child, 'close')
    child.kill('SIGQUIT')
    await closed
  }

  await start()
  const vectors = offersVectors(installed)
  return {
    says: `PostgreSQL ${installed.version} in ${installed.bin}${vectors ? ', with pgvector' : ''}`,
    bin: installed.bin,
    hasVectors: vectors,
    home,
    port,
    url: `postgres://tester@localhost/postgres?host=${encodeURIComponent(home)}&port=${port}`,
    password,
    tcp: `postgres://tester@127.0.0.1:${port}/postgres`,
    logged: () => readFileSync(path.join(home, 'log'), 'utf8').split('\n'),
    newSchema: () => `t${process.pid}_${(schemas += 1)}`,
    kill: async () => end(),
    start,
    async stop() {
      // Its files go next; writing everything down before that takes seconds on a busy disk.
      await end()
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
    abandon() {
      server?.kill('SIGQUIT')
      rmSync(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

/** Servers refuse to run as root; the user the package manager made for them is asked first. */
export function ordinaryUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody'])
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) }
    } catch {
      // There is no such user here; the next one is asked.
    }
  return undefined
}

/** @param {string} flag @param {string} name */
function idOf(flag, name) {
  return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
}

/** @param {string} home */
function versionsBelow(home) {
  return existsSync(home) ? readdirSync(home).map((name) => path.join(home, name, 'bin')) : []
}

/** @param {string} bin */
function versionOf(bin) {
  return Number(/(\d+)/.exec(execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }))?.[1] ?? 0)
}

/** @param {Installed} installed */
function offersVectors({ version }) {
  return existsSync(`/usr/share/postgresql/${version}/extension/vector.control`)
}

/** The last line of its pid file says so; before that, connections are turned away. @param {import('node:child_process').ChildProcess} child @param {{ home: string, port: number }} where */
async function untilReady(child, { home, port }) {
  for (let tries = 0; tries < 600; tries++) {
    if (child.exitCode !== null)
      throw new Error(`the server ended at once: ${readFileSync(path.join(home, 'log'), 'utf8')}`)
    if (isReady(path.join(home, 'data', 'postmaster.pid'), child) && (await answers(port))) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('the server did not answer within 15 seconds')
}

/** @param {string} file @param {import('node:child_process').ChildProcess} child */
function isReady(file, { pid }) {
  if (!existsSync(file)) return false
  const lines = readFileSync(file, 'utf8').split('\n')
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

/** @param {number} port @returns {Promise<boolean>} */
async function answers(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('a listening server has a port')
  return address.port
}

// Run by itself: a server to try things with, until it is interrupted.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = findPostgres()
  if (typeof found === 'string') {
    console.error(found)
    process.exitCode = 1
  } else {
    const server = await startPostgres(found)
    console.log(`${server.says}, until you press Ctrl-C. In another shell:`)
    console.log(`export PGPASSWORD='${server.password}' AGENTM_NODES_URL=${server.tcp}`)
    const stay = setInterval(() => undefined, 60_000)
    const end = () => {
      clearInterval(stay)
      void server.stop()
    }
    process.once('SIGINT', end).once('SIGTERM', end)
  }
}
