import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { foldingDisks, mountedDisk } from '../../../tools/mounted-disk.mjs'
import { CliWorld } from './cli-world.ts'

it.for(foldingDisks)('keeps the projects Proj and proj apart in a vault on $name', async (kind, { skip }) => {
  const disk = mountedDisk(kind)
  if ('why' in disk) {
    skip(disk.why)
    return
  }
  onTestFinished(() => disk.unmount())
  const world = await CliWorld.forThisTest()
  const vault = path.join(disk.directory, 'Vault')
  await mkdir(vault)
  await world.agentm(['init', '--vault', vault])
  const enter = async (name: string) => {
    world.directory = path.join(world.home, 'checkouts', `of-${name}`)
    await mkdir(world.directory, { recursive: true })
    await promisify(execFile)('git', ['init', '-q', world.directory])
    const origin = `https://github.com/me/${name}.git`
    await promisify(execFile)('git', ['-C', world.directory, 'remote', 'add', 'origin', origin])
  }
  await enter('Proj')
  expect(await world.agentm(['save', 'Staging listens on 5433', '--kind', 'fact'])).toMatchObject({ code: 0 })
  expect(await world.agentm(['state', 'write', 'PLAN.md'], 'the plan of Proj')).toMatchObject({ code: 0 })
  await enter('proj')
  const saved = await world.agentm(['save', 'Production listens on 6000', '--kind', 'fact'])
  expect(saved).toMatchObject({
    code: 1,
    err: expect.stringContaining('takes "projects/proj" for "projects/Proj"') as string,
  })
  expect((await world.agentm(['state', 'read', 'PLAN.md'])).out).toBe('')
  expect((await world.agentm(['state', 'write', 'PLAN.md'], 'the plan of proj')).code).toBe(1)
  expect((await world.agentm(['recall', 'listens on'])).out).toContain('Nothing found')
  expect(await readFile(path.join(vault, 'projects/Proj/_harness/PLAN.md'), 'utf8')).toBe('the plan of Proj')
})
