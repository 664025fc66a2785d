import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CliWorld } from './cli-world.ts'

const agentm = path.join(import.meta.dirname, '../bin/agentm.mjs')
const day = 'My Diary/day.md'
const text = '---\nstatus: archived\n---\n\nThe zirconium crucible is in the shed.\n'

/** Somebody's vault, in which they keep their diary. */
async function adopted() {
  const world = await CliWorld.forThisTest()
  await world.file(`vault/${day}`, text)
  await world.agentm(['init', '--vault', path.join(world.home, 'vault')])
  return world
}

async function agentOf(world: CliWorld) {
  const { PATH = '' } = process.env
  const env = { PATH, HOME: world.home, XDG_CACHE_HOME: path.join(world.home, '.cache') }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [agentm, 'mcp'], cwd: world.repo, env }),
  )
  onTestFinished(() => client.close())
  return async (name: string, args: Record<string, unknown>) => {
    const { isError, content } = await client.callTool({ name, arguments: args })
    const [first] = content as readonly { readonly text: string }[]
    return { isError: isError === true, text: first?.text ?? '' }
  }
}

async function found(world: CliWorld): Promise<readonly string[]> {
  const { results } = (await world.json(['recall', 'zirconium', 'crucible'])) as {
    results: readonly { readonly key: string }[]
  }
  return results.map(({ key }) => key)
}

describe('what a person keeps in the vault', () => {
  it('is recalled by agents and commands, and changed by neither', async () => {
    const world = await adopted()
    const ask = await agentOf(world)
    expect((await ask('memory_recall', { query: 'zirconium crucible' })).text).toContain(`· ${day}\n`)
    const refused = await ask('memory_forget', { note: day, reason: 'no longer true' })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('"code":"PERSON_NEEDED"') })
    for (const args of [
      ['forget', day],
      ['forget', day, '--purge'],
      ['forget', day, '--json'],
      ['supersede', day, 'Nothing was there.', '--reason', 'x'],
    ]) {
      const { code, out, err } = await world.agentm(args)
      expect([code, out + err]).toEqual([1, expect.stringContaining('PERSON_NEEDED')])
    }
    expect(await world.pipedIntoTerminal(['forget', day], 'yes\n'.repeat(9))).toContain('PERSON_NEEDED')
    expect(await world.read(`vault/${day}`)).toBe(text)
    expect(await found(world)).toEqual([day])
  })

  it('is forgotten by a person at the terminal, and restored unchanged', async () => {
    const world = await adopted()
    expect(await found(world)).toEqual([day])
    expect(await world.atTerminal(['forget', day], 'number')).toContain(`forgotten: ${day}`)
    expect(await found(world)).toEqual([])
    const ask = await agentOf(world)
    expect((await ask('memory_recall', { query: 'zirconium crucible' })).text).not.toContain(day)
    expect(await world.agentm(['restore', day])).toMatchObject({ code: 1 })
    expect(await world.atTerminal(['restore', day], 'number')).toContain(`restored: ${day}`)
    expect(await world.read(`vault/${day}`)).toBe(text)
    expect(await found(world)).toEqual([day])
  })

  it('is erased only by a person who says yes', async () => {
    const world = await adopted()
    expect(await world.atTerminal(['forget', day, '--purge'], 'yes')).toContain('nothing was deleted')
    expect(await world.read(`vault/${day}`)).toBe(text)
    expect(await world.atTerminal(['forget', day, '--purge'], 'number')).toContain(`permanently deleted: ${day}`)
    expect(await world.read(`vault/${day}`)).not.toContain('zirconium')
    expect(await world.atTerminal(['restore', day], 'number')).toContain('NOT_RESTORABLE')
  })
})

describe('what an agent wrote', () => {
  it('is forgotten by an agent, and restored by its id or its place until it is purged', async () => {
    const world = await adopted()
    const ask = await agentOf(world)
    await ask('memory_save', { kind: 'fact', text: 'The zirconium crucible is cracked.' })
    const key = 'projects/acme/fact/the-zirconium-crucible-is-cracked.md'
    const before = await world.read(`vault/${key}`)
    expect((await ask('memory_forget', { note: key })).text).toBe(`Forgotten: ${key}`)
    expect(await world.read(`vault/${key}`)).toContain('deleted_by: agent')
    expect(await found(world)).toEqual([day])
    expect(await world.agentm(['restore', key])).toMatchObject({ code: 0, out: `restored: ${key}\n` })
    expect(await world.read(`vault/${key}`)).toBe(before)
    expect((await found(world)).toSorted()).toEqual([day, key])
    expect((await ask('memory_save', { kind: 'fact', text: 'The zirconium crucible is in the shed.' })).isError).toBe(
      false,
    )
    expect(await world.agentm(['forget', key, '--purge'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/cannot be restored[^]*agentm forget --purge[^]*PERSON_NEEDED/),
    })
    expect(await world.atTerminal(['forget', key, '--purge'], 'number')).toContain(`permanently deleted: ${key}`)
    expect(await world.agentm(['restore', key])).toMatchObject({ code: 1 })
  })
})
