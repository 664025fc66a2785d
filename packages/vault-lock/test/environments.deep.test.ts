/** Writers of one directory that find each other by no path and no variable they share, only by the directory itself. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedUpdate } from '@agentm/vault-lock'
import { expect, it, type TestContext } from 'vitest'
import { setup, type Surroundings, type TestWorld } from './world.ts'

interface Told {
  readonly name: string
  readonly written: number
  readonly lost: number
  readonly refusals: readonly string[]
}

const tries = 200
const nobody = 65_534
const writer = join(import.meta.dirname, 'children', 'diarist.mjs')
/** Runs what follows it. What it makes may be used by every user. */
const open = ['sh', '-c', 'umask 0; exec "$0" "$@"']

/** Its own mounts. `prepare` may use `$ROOT`, `$ALIAS` and `$CACHE`. */
function mounted(prepare: string, { pids = false } = {}): string[] {
  const namespaces = pids ? ['--mount', '--pid', '--mount-proc'] : ['--mount']
  return ['unshare', '--fork', '--kill-child', ...namespaces, 'sh', '-c', `umask 0; ${prepare} && exec "$0" "$@"`]
}

function skipWhereImpossible(context: TestContext): void {
  if (process.platform !== 'linux') context.skip('only Linux has containers to tell apart')
  if (process.getuid?.() !== 0) context.skip('only root may mount, and start processes of another user')
  try {
    execFileSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' })
  } catch {
    context.skip('unshare is not there, or not permitted')
  }
  skipWhereUnreadable(context)
}

/** Another user starts the same programs, so it has to be able to enter the directories of this clone and of Node. */
function skipWhereUnreadable(context: TestContext): void {
  try {
    execFileSync(process.execPath, ['--check', writer], { uid: nobody, gid: nobody, cwd: '/', stdio: 'ignore' })
  } catch {
    context.skip(`another user cannot read ${writer} or run ${process.execPath}; put both where every user may read`)
  }
}

interface Writer extends Surroundings {
  readonly name: string
  readonly root: string
}

/** A store that every user may write, written before by this process. */
async function openToAll(): Promise<TestWorld & { readonly alias: string; readonly mounts: Record<string, string> }> {
  const umask = process.umask(0)
  try {
    const world = await setup()
    const { home, root, lockRoot, at } = world
    for (const directory of [home, root]) chmodSync(directory, 0o777)
    const [alias, cache] = [join(home, 'alias'), join(home, 'cache')]
    mkdirSync(alias)
    mkdirSync(join(home, 'of-nobody'))
    chownSync(join(home, 'of-nobody'), nobody, nobody)
    await lockedUpdate(root, at('ledger.json'), () => '{}', { lockRoot })
    return { ...world, alias, mounts: { ROOT: root, ALIAS: alias, CACHE: cache } }
  } finally {
    process.umask(umask)
  }
}

async function writeTogether({ startIn }: TestWorld, writers: readonly Writer[]): Promise<Told[]> {
  const crew = writers.map(({ name, root, ...surroundings }) =>
    startIn(surroundings, 'diarist', root, join(root, 'ledger.json'), name, `${tries}`),
  )
  const told = await Promise.all(crew.map((child) => child.next()))
  return told as Told[]
}

const figures = (told: readonly Told[]) =>
  told.map(
    ({ name, written, lost, refusals }) => `${name}: ${written} written, ${refusals.length} refused, ${lost} lost`,
  )

function expectAllThere(world: TestWorld, told: readonly Told[]): void {
  const entries = JSON.parse(readFileSync(world.at('ledger.json'), 'utf8')) as Record<string, number>
  for (const { name, written, lost, refusals } of told) {
    expect([name, lost]).toEqual([name, 0])
    expect([name, entries[name] ?? 0]).toEqual([name, written])
    expect(written + refusals.length).toBe(tries)
  }
}

it('loses none of 800 writes from four environments that reach each other', async (context) => {
  skipWhereImpossible(context)
  const world = await openToAll()
  const { home, root, alias, mounts } = world
  const told = await writeTogether(world, [
    { name: 'another cache', root, through: open, env: { XDG_CACHE_HOME: join(home, 'another') } },
    { name: 'a bind mount', root: alias, through: mounted('mount --bind "$ROOT" "$ALIAS"'), env: mounts },
    { name: 'another user', root, through: open, uid: nobody, env: { XDG_CACHE_HOME: join(home, 'of-nobody') } },
    {
      name: 'a container with the cache mounted',
      root: alias,
      through: mounted('mount --bind "$ROOT" "$ALIAS" && mount -t tmpfs none "$ROOT"', { pids: true }),
      env: mounts,
    },
  ])
  console.log(figures(told))
  expectAllThere(world, told)
  expect(told.flatMap(({ refusals }) => refusals)).toEqual([])
})

it('loses none of 800 writes where two of four environments cannot reach the lock, and tells those two why', async (context) => {
  skipWhereImpossible(context)
  const world = await openToAll()
  const { home, root, lock, alias, mounts } = world
  // Like any cache: whoever made it may write there.
  chmodSync(join(lock, '..'), 0o755)
  const told = await writeTogether(world, [
    { name: 'another cache', root, through: open, env: { XDG_CACHE_HOME: join(home, 'another') } },
    { name: 'a bind mount', root: alias, through: mounted('mount --bind "$ROOT" "$ALIAS"'), env: mounts },
    { name: 'another user', root, through: open, uid: nobody, env: { XDG_CACHE_HOME: join(home, 'of-nobody') } },
    { name: 'a container', root, through: mounted('mount -t tmpfs none "$CACHE"', { pids: true }), env: mounts },
  ])
  console.log(figures(told))
  expectAllThere(world, told)
  const [cache, bind, user, container] = told.map(({ refusals }) => refusals)
  expect([cache, bind]).toEqual([[], []])
  expect(user).toHaveLength(tries)
  expect(container).toHaveLength(tries)
  for (const refusal of user ?? []) expect(refusal).toMatch(/^LOCK_ELSEWHERE: .*this user may not write to/)
  for (const refusal of container ?? []) expect(refusal).toMatch(/^LOCK_ELSEWHERE: .*that path leads elsewhere/)
})

it('takes over from killed processes of another user', async (context) => {
  skipWhereImpossible(context)
  const world = await openToAll()
  const { home, root, startIn, at } = world
  const users: readonly Surroundings[] = [
    { through: open, uid: nobody, env: { XDG_CACHE_HOME: join(home, 'of-nobody') } },
    { through: open },
  ]
  const acknowledged = new Map<string, number>()
  const refused: unknown[] = []
  for (let life = 0; life < 40; life++) {
    const name = `writer-${life}`
    const child = startIn(users[life % 2] ?? {}, 'ledger', root, at('ledger.json'), name)
    child.process.on('message', (message: { readonly count?: number; readonly refused?: unknown }) => {
      if (message.count === undefined) refused.push(message.refused)
      else acknowledged.set(name, message.count)
    })
    await expect.poll(() => acknowledged.has(name) || refused.length > 0, { interval: 5 }).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 20 * Math.random()))
    child.process.kill('SIGKILL')
    await child.exit()
  }
  expect(refused).toEqual([])
  const entries = JSON.parse(readFileSync(at('ledger.json'), 'utf8')) as Record<string, number>
  for (const [name, count] of acknowledged) expect(entries[name] ?? 0).toBeGreaterThanOrEqual(count)
})
