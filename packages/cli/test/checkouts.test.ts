import { execFile } from 'node:child_process'
import { mkdir, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CliWorld } from './cli-world.ts'

const run = promisify(execFile)
const agentm = path.join(import.meta.dirname, '../bin/agentm.mjs')

/** A repository that was cloned from nowhere, in a directory of that name. */
async function ownRepository(world: CliWorld, name: string): Promise<string> {
  const directory = path.join(world.home, name)
  await mkdir(directory, { recursive: true })
  await run('git', ['init', '-q', directory])
  world.directory = directory
  return directory
}

describe('a repository without a remote', () => {
  it('keeps its notes for itself', async () => {
    const world = await CliWorld.forThisTest()
    await ownRepository(world, 'alpha')
    const saved = await world.agentm(['save', 'The staging database listens on port 5433.', '--kind', 'fact'])
    expect(saved.out).toBe('saved: projects/alpha/fact/the-staging-database-listens-on-port-5433.md\n')
    expect((await world.agentm(['recall', 'staging port'])).out).toContain('5433')
    await ownRepository(world, 'beta')
    expect((await world.agentm(['recall', 'staging port'])).out).toBe('Nothing found.\n')
  })

  it('is called what a person calls it, from wherever in it, and what stays behind is said', async () => {
    const world = await CliWorld.forThisTest()
    const root = await ownRepository(world, 'alpha')
    await world.agentm(['save', 'Kept under the first name.'])
    await mkdir(path.join(root, 'src'))
    world.directory = path.join(root, 'src')
    const { code, out } = await world.agentm(['project', 'name', 'work'])
    expect(code).toBe(0)
    expect(out).toContain(`${root} is the project "work".`)
    expect(out).toContain('Notes of the former name "alpha" stay at projects/alpha in the store.')
    expect(JSON.parse(await world.read('alpha/.harness/project.json'))).toEqual({ vault_project: 'work' })
    expect(await world.json(['save', 'Kept under the new name.'])).toMatchObject({ project: 'work' })
  })

  it('is what it is registered as', async () => {
    const world = await CliWorld.forThisTest()
    await ownRepository(world, 'alpha')
    await world.agentm(['repos', 'register', '--slug', 'work'])
    expect(await world.json(['save', 'Goes where it was registered.'])).toMatchObject({ project: 'work' })
  })
})

describe('a directory that is no project', () => {
  it('says that what it saves is everybody\u2019s, and how to change that', async () => {
    const world = await CliWorld.forThisTest()
    world.directory = path.join(world.home, 'loose')
    await mkdir(world.directory)
    const { out } = await world.agentm(['save', 'Belongs to nobody.'])
    expect(out).toContain('saved: personal/note/belongs-to-nobody.md')
    expect(out).toContain('every project recalls it. To make this directory a project: agentm project name NAME')
    expect((await world.agentm(['save', 'Mine on purpose.', '--personal'])).out).not.toContain('every project')
    expect((await world.agentm(['project', 'name', 'loose'])).code).toBe(0)
    expect(await world.json(['save', 'Belongs to it now.'])).toMatchObject({ project: 'loose' })
  })
})

/** A checkout whose root says that it is local, and stands in a directory below. */
async function deepInside(): Promise<CliWorld> {
  const world = await CliWorld.forThisTest()
  await mkdir(path.join(world.home, 'vault'))
  await world.agentm(['init', '--vault', path.join(world.home, 'vault')])
  await world.file('repo/.harness/.project-mode', 'local\n')
  await world.file('repo/.harness/active-plan', 'speed\n')
  await world.file('repo/.harness/PLAN-speed.md', '# The plan for speed\n')
  world.directory = path.join(world.repo, 'packages/one/src')
  await mkdir(world.directory, { recursive: true })
  return world
}

describe('below the root of a checkout', () => {
  it('every surface finds the plan the root is bound to', async () => {
    const world = await deepInside()
    const plan = path.join(world.repo, '.harness/PLAN-speed.md')
    expect((await world.agentm(['state', 'path', 'plan'])).out).toBe(`${plan}\n`)
    expect((await world.agentm(['seam', 'state-path', 'plan'])).out).toBe(`${plan}\n`)
    const start = await world.agentm(['hook', 'session-start'], JSON.stringify({ cwd: world.directory }))
    expect(start.out).toContain(plan)
    expect(await stateOverMcp(world)).toContain('# The plan for speed')
  })

  it('what is local at the root stays out of the vault', async () => {
    const world = await deepInside()
    await world.agentm(['state', 'write', 'PLAN-speed.md'], '# Written from below\n')
    expect(await world.read('repo/.harness/PLAN-speed.md')).toBe('# Written from below\n')
    expect(await readdir(path.join(world.home, 'vault'))).toEqual(['.agentm-locks', '_meta'])
    expect(await readdir(world.directory)).toEqual([])
  })
})

async function stateOverMcp(world: CliWorld): Promise<string> {
  const client = new Client({ name: 'test', version: '1' })
  const { PATH = '' } = process.env
  const env = { PATH, HOME: world.home, XDG_CACHE_HOME: path.join(world.home, '.cache') }
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [agentm, 'mcp'], cwd: world.directory, env }),
  )
  onTestFinished(() => client.close())
  return JSON.stringify(await client.callTool({ name: 'state_read', arguments: { file: 'plan' } }))
}
