import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { groups } from '../src/command-table.ts'
import { manual } from '../src/commands/manual.ts'
import { CliWorld } from './cli-world.ts'

async function setup(): Promise<CliWorld> {
  const world = await CliWorld.make()
  onTestFinished(() => world.remove())
  return world
}

describe('agentm manual', () => {
  it('has a page for every command, and is what docs/reference/commands.md shows', async () => {
    const world = await setup()
    const { code, out } = await world.agentm(['manual'])
    expect(code).toBe(0)
    for (const { name } of groups.flatMap(({ entries }) => entries)) expect(out).toContain(`### agentm ${name}\n`)
    expect(await readFile(path.resolve(import.meta.dirname, '../../../docs/reference/commands.md'), 'utf8')).toBe(out)
  })

  it('says the same of itself in the overview, under help and under --help', async () => {
    const world = await setup()
    const [help, flag] = [await world.agentm(['help', 'manual']), await world.agentm(['manual', '--help'])]
    expect(help).toEqual(flag)
    expect(help.out).toContain(manual.summary)
  })
})
