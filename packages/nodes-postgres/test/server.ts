/**
 * A PostgreSQL server of the tests' own: found among the installed ones, run as an ordinary user in a temporary
 * directory, on a socket of its own, and stopped by its process id.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'

export interface TestServer {
  /** Where it came from, for the reader of a test run. */
  readonly says: string
  readonly version: number
  readonly hasVectors: boolean
  /** Over the socket, as its superuser, without a password. */
  readonly url: string
  /** Over the loopback network, where a password is asked for. */
  readonly tcp: { readonly port: number; readonly password: string; url(user?: string): string }
  /** A schema that nobody else uses. */
  newSchema(): string
  /** Without a warning to anybody, as a power cut would. */
  kill(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

interface Installed {
  readonly bin: string
  readonly version: number
}

/** The newest installed server this package works with, or why there is none. */
export function findServer(): Installed | string {
  const homes = [
    ...(process.env['AGENTM_TEST_POSTGRES'] === undefined ? [] : [process.env['AGENTM_TEST_POSTGRES']]),
    ...versionsBelow('/usr/lib/postgresql'),
    ...versionsBelow('/opt/homebrew/opt'),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ]
  const found = homes.filter((bin) => existsSync(path.join(bin, 'initdb')) && existsSync(path.join(bin, 'postgres')))
  const usable = found
    .map((bin) => ({ bin: realpathSync(bin), version: versionOf(bin) }))
    .filter(({ version }) => version >= 15)
    // pgvector is built for 15 by tools/postgres.sh, so among several servers the one that has it is taken.
    .toSorted((a, b) => Number(offersVectors(b)) - Number(offersVectors(a)) || b.version - a.version)
  return (
    usable[0] ??
    'no PostgreSQL 15 or newer is installed here; run tools/postgres.sh as root on Debian, or set AGENTM_TEST_POSTGRES to a directory with initdb and postgres'
  )
}

function versionsBelow(home: string): string[] {
  return existsSync(home) ? readdirSync(home).map((name) => path.join(home, name, 'bin')) : []
}

function versionOf(bin: string): number {
  return Number(/(\d+)/.exec(execFileSync(path.join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }))?.[1] ?? 0)
}

function offersVectors({ version }: Installed): boolean {
  return existsSync(`/usr/share/postgresql/${version}/extension/vector.control`)
}

export async function startServer(installed: Installed): Promise<TestServer> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'agentm-pg-'))
  const who = ordinaryUser()
  if (who !== undefined) chownSync(home, who.uid, who.gid)
  const data = path.join(home, 'data')
  const password = 'correct horse'
  const as = { ...who, cwd: home, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } }
  execFileSync(
    '/bin/sh',
    [
      '-c',
      `printf '%s' "$3" > "$2.password" && exec "$1/initdb" -D "$2" -U tester --no-locale -E UTF8 --no-sync ` +
        `--auth-local=trust --auth-host=scram-sha-256 --pwfile="$2.password" > "$2.log"`,
      'sh',
      installed.bin,
      data,
      password,
    ],
    as,
  )
  const port = await freePort()
  let server: ChildProcess | undefined
  let schemas = 0
  const url = `postgres://tester@localhost/postgres?host=${encodeURIComponent(home)}&port=${port}`

  async function start(): Promise<void> {
    const child = spawn(
      path.join(installed.bin, 'postgres'),
      [
        '-D',
        data,
        '-k',
        home,
        '-p',
        String(port),
        '-c',
        'listen_addresses=127.0.0.1',
        '-c',
        'max_connections=120',
        '-c',
        'log_min_messages=fatal',
      ],
      { ...as, stdio: ['ignore', 'ignore', 'ignore'] },
    )
    server = child
    await untilReady(url, child)
  }

  async function end(signal: 'SIGQUIT' | 'SIGKILL' | 'SIGINT'): Promise<void> {
    const child = server
    server = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
  }

  await start()
  return {
    says: `PostgreSQL ${installed.version} in ${installed.bin}${offersVectors(installed) ? ', with pgvector' : ''}`,
    version: installed.version,
    hasVectors: offersVectors(installed),
    url,
    tcp: { port, password, url: (user = 'tester') => `postgres://${user}@127.0.0.1:${port}/postgres` },
    newSchema: () => `t${process.pid}_${(schemas += 1)}`,
    kill: async () => end('SIGQUIT'),
    start,
    async stop() {
      await end('SIGINT')
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Servers refuse to run as root; the user the package manager made for them is asked first. */
function ordinaryUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody'])
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      continue
    }
  return undefined
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended at once, with code ${child.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 25))
    }
  }
  throw new Error('the server did not answer within ten seconds')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
