import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const peer = path.join(import.meta.dirname, 'children/stale-peer.py')

it('what was registered survives a program that writes an older copy of the registry back', async (context) => {
  if (!hasPython()) context.skip('no python3')
  const world = await CliWorld.forThisTest()
  const store = path.join(world.home, '.agentm/memory')
  await world.agentm(['repos', 'register', '--slug', 'first'])
  const locks = path.join(world.home, '.cache/agentm/locks')
  const child = spawn('python3', [peer, store, locks, 'theirs'], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')

  await mkdir(path.join(world.home, 'other'))
  await world.agentm(['repos', 'register', '--slug', 'mine', '--root', path.join(world.home, 'other')])
  await world.agentm(['repos', 'unregister', 'first'])
  child.stdin.end('write\n')
  await once(child, 'close')

  const names = async () => (await world.agentm(['repos', 'list'])).out.split('\n').map((line) => line.split(' ')[0])
  expect(await slugsWritten(world)).toEqual(['first', 'theirs'])
  expect(await names()).toEqual(['theirs', 'mine', ''])
  // And other programs find it again after the next change.
  await world.agentm(['repos', 'register', '--slug', 'last'])
  expect(await slugsWritten(world)).toEqual(['theirs', 'mine', 'last'])
})

async function slugsWritten(world: CliWorld): Promise<string[]> {
  const { repos } = JSON.parse(await world.read('.agentm/memory/_meta/repos.json')) as { repos: { slug: string }[] }
  return repos.map(({ slug }) => slug)
}

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
