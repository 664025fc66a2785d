import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

interface Recalled {
  readonly results: ReadonlyArray<{ readonly key: string }>
}

async function setup() {
  const world = await CliWorld.forThisTest()
  await world.agentm(['save', 'The staging database listens on 5433', '--kind', 'fact'])
  const other = path.join(world.home, 'other')
  await promisify(execFile)('git', ['init', '-q', other])
  await promisify(execFile)('git', ['-C', other, 'remote', 'add', 'origin', 'https://github.com/me/other.git'])
  const recalled = async () => {
    const { results } = (await world.json(['recall', 'staging database'])) as unknown as Recalled
    return results.map(({ key }) => key)
  }
  return { world, other, recalled, projects: path.join(world.home, '.agentm/memory/projects') }
}

it('a project folder that is a link to another serves it none of its notes, and says so when it is written to', async () => {
  const { world, other, recalled, projects } = await setup()
  await symlink('acme', path.join(projects, 'other'))
  expect(await recalled()).toEqual(['projects/acme/fact/the-staging-database-listens-on-5433.md'])
  world.directory = other
  expect(await recalled()).toEqual([])
  const { code, err } = await world.agentm(['save', 'Production listens on 6000', '--kind', 'fact'])
  expect(code).toBe(1)
  expect(err).toContain('has a key of its own')
})

it('links in a circle neither double a note nor keep a recall from its end', async () => {
  const { recalled, projects } = await setup()
  for (const name of ['one', 'two', 'three']) await symlink('..', path.join(projects, 'acme', name))
  await symlink('.', path.join(projects, 'acme', 'fact', 'itself'))
  expect(await recalled()).toEqual(['projects/acme/fact/the-staging-database-listens-on-5433.md'])
})
