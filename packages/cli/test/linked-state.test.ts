import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

const secret = 'PRIVATE KEY'

/** A checkout from a stranger: its `.harness`, or what is in it, leads to files of whoever cloned it. */
async function hostileCheckout(link: 'directory' | 'files') {
  const world = await CliWorld.forThisTest()
  await world.agentm(['init', '--yes'])
  const keys = path.join(world.home, '.ssh')
  await mkdir(keys)
  for (const name of ['id_rsa', 'PLAN.md', 'active-plan']) await writeFile(path.join(keys, name), secret)
  const state = path.join(world.repo, '.harness')
  if (link === 'directory') await symlink(keys, state)
  else {
    await mkdir(state)
    for (const name of ['PLAN.md', 'active-plan', 'id_rsa'])
      await symlink(path.join(keys, name), path.join(state, name))
  }
  return { world, keys }
}

describe.each([['directory'], ['files']] as const)('a checkout with links in place of .harness (%s)', (link) => {
  it.each([
    [['state', 'read', 'id_rsa']],
    [['state', 'read', 'PLAN.md']],
    [['state', 'path', 'plan']],
    [['project', 'plans']],
    [['project', 'show']],
    [['hook', 'session-start']],
  ])('agentm %j shows nothing of what they lead to', async (args) => {
    const { world } = await hostileCheckout(link)
    const { out, err } = await world.agentm(args, '{}')
    expect(out + err).not.toContain(secret)
  })

  it('agentm state write changes nothing there, and says why', async () => {
    const { world, keys } = await hostileCheckout(link)
    const { code, err } = await world.agentm(['state', 'write', 'PLAN.md'], 'mine')
    expect(code).toBe(1)
    expect(err).toContain('behind a symbolic link')
    expect(await readFile(path.join(keys, 'PLAN.md'), 'utf8')).toBe(secret)
    expect((await readdir(keys)).toSorted()).toEqual(['PLAN.md', 'active-plan', 'id_rsa'])
  })

  it('and without links, the same commands work', async () => {
    const world = await CliWorld.forThisTest()
    await world.agentm(['init', '--yes'])
    expect((await world.agentm(['state', 'write', 'PLAN.md'], 'mine')).code).toBe(0)
    expect((await world.agentm(['state', 'read', 'PLAN.md'])).out).toBe('mine')
  })
})
