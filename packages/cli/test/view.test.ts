import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { CliWorld } from './cli-world.ts'
import { PlanWorld } from './plan-world.ts'

const agentm = path.join(import.meta.dirname, '../bin/agentm.mjs')

/** The page of `agentm view` in the checkout of a world: its address, and how the command ends. */
async function viewing(world: CliWorld, args: readonly string[] = []) {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: world.home, XDG_CACHE_HOME: path.join(world.home, '.cache') }
  const child = spawn(process.execPath, [agentm, 'view', ...args], {
    cwd: world.repo,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)))
  await expect.poll(() => said).toMatch(/token=\S+\n/)
  const url = new URL(/http:\S+/.exec(said)?.[0] ?? '')
  const first = await fetch(url, { redirect: 'manual' })
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  return {
    stop: async () => {
      child.kill('SIGTERM')
      return ended
    },
    ask: async (target: string) => (await fetch(new URL(target, url.origin), { headers: { cookie } })).json(),
    send: async (change: object) => {
      const headers = { cookie, Origin: url.origin, 'X-Agentm-View': '1', 'Content-Type': 'application/json' }
      return fetch(new URL('/api/change/plans', url.origin), { method: 'POST', headers, body: JSON.stringify(change) })
    },
  }
}

const yaml = 'goal: publish the tide tables\nsteps:\n  - { key: ask, title: Ask first, kind: approval }\n'

it('shows the plans that the other commands make, and ends when it is asked to', async () => {
  const world = await PlanWorld.make()
  const planId = await world.plan(yaml)
  const page = await viewing(world.cli)
  expect(await page.ask('/api/plans')).toMatchObject({
    plans: [{ id: planId.split(':').at(-1), goal: 'publish the tide tables', status: 'open' }],
  })
  expect(await page.ask('/api/about')).toMatchObject({ canWrite: false })
  expect(await page.stop()).toBe(0)
})

it('changes a plan only with --write', async () => {
  const world = await PlanWorld.make()
  const planId = await world.plan(yaml)
  const pause = { do: 'pause', planId: planId.split(':').at(-1) }
  const reading = await viewing(world.cli)
  expect((await reading.send(pause)).status).toBe(403)
  const writing = await viewing(world.cli, ['--write'])
  expect((await writing.send(pause)).status).toBe(200)
  expect((await world.cli.json(['status', planId]))['plans']).toMatchObject([{ paused: true }])
})

it('shows the plans of another owner with --owner, and refuses a name that is none', async () => {
  const world = await PlanWorld.make()
  const planId = await world.plan(yaml)
  const { owner } = (await (await viewing(world.cli)).ask('/api/about')) as { readonly owner: string }
  const others = await viewing(world.cli, ['--owner', `not-${owner}`])
  expect(await others.ask('/api/about')).toMatchObject({ owner: `not-${owner}` })
  expect(await others.ask('/api/plans')).toMatchObject({ plans: [] })
  expect(await others.ask(`/api/plans/${planId.split(':').at(-1)}`)).toMatchObject({ code: 'ABSENT_NODE' })
  const own = await viewing(world.cli, ['--owner', owner])
  expect(await own.ask('/api/plans')).toMatchObject({ plans: [{ goal: 'publish the tide tables' }] })
  const wrong = await world.cli.agentm(['view', '--owner', ' '])
  const said = await world.cli.agentm(['beliefs', '--owner', ' '])
  expect([wrong.code, wrong.err]).toEqual([1, said.err])
  expect(wrong.err).toContain('no owner was named')
})

it('makes nothing where nothing was ever kept', async () => {
  const world = await CliWorld.forThisTest()
  const page = await viewing(world)
  expect(await page.ask('/api/plans')).toMatchObject({ plans: [], hasLog: false })
  expect(await page.stop()).toBe(0)
  expect(existsSync(path.join(world.home, '.agentm'))).toBe(false)
})

it('refuses a port that is taken, and says what to do', async () => {
  const world = await CliWorld.forThisTest()
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? `${address.port}` : ''
  const { code, err } = await world.agentm(['view', '--port', port])
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(`port ${port} is taken`) })
})
