import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { mcp } from '../src/commands/mcp.ts'
import { table } from '../src/command-table.ts'

const plugin = fileURLToPath(new URL('../../../skills/', import.meta.url))

async function json(file: string) {
  return JSON.parse(await readFile(path.join(plugin, file), 'utf8')) as Readonly<Record<string, never>>
}

interface Hooks {
  readonly hooks: Readonly<
    Record<string, ReadonlyArray<{ readonly hooks: ReadonlyArray<{ readonly command: string }> }>>
  >
}

describe('the Claude Code plugin', () => {
  it('names its parts, and they are there', async () => {
    const manifest = await json('.claude-plugin/plugin.json')
    expect(manifest).toMatchObject({ name: 'agentm', skills: './', hooks: './hooks.json', mcpServers: './mcp.json' })
    expect(await json('mcp.json')).toEqual({ mcpServers: { agentm: { command: 'agentm', args: ['mcp'] } } })
    expect(await json('.claude-plugin/marketplace.json')).toMatchObject({ plugins: [{ name: 'agentm', source: './' }] })
    expect(table.some(({ name }) => name === 'mcp')).toBe(true)
    expect(mcp.takes).toBeUndefined()
  })

  it('is found by its repository, and by a clone of it', async () => {
    const repository = path.join(plugin, '..')
    const text = await readFile(path.join(repository, '.claude-plugin/marketplace.json'), 'utf8')
    const { plugins } = JSON.parse(text) as { readonly plugins: readonly { readonly source: string }[] }
    for (const { source } of plugins)
      expect(await readFile(path.join(repository, source, '.claude-plugin/plugin.json'), 'utf8')).toContain('"agentm"')
    expect(plugins).toHaveLength(1)
  })

  it('describes the skill where hosts look for it', async () => {
    const text = await readFile(path.join(plugin, 'memory/SKILL.md'), 'utf8')
    expect(text).toMatch(/^---\nname: memory\ndescription: .{50,1024}\n---\n/)
    const tools = text.match(/`(?:memory_\w+|state_read)`/g)
    expect(new Set(tools)).toEqual(
      new Set(['`memory_recall`', '`state_read`', '`memory_save`', '`memory_capture`', '`memory_forget`']),
    )
  })

  it('never blocks a prompt: not where agentm is absent, and not where it is older than the hook', async () => {
    const { hooks } = (await json('hooks.json')) as unknown as Hooks
    const commands = Object.values(hooks).flatMap((each) => each.flatMap((group) => group.hooks))
    expect(commands.map(({ command }) => command)).toEqual([
      'agentm hook session-start || exit 0',
      'agentm hook prompt-submit || exit 0',
    ])
    for (const { command } of commands) {
      // Words that cmd.exe understands as well. What a shell says of a program that is absent is shown to nobody when it ends with 0.
      const ran = await promisify(execFile)('/bin/sh', ['-c', command], { env: { PATH: '/nowhere' } })
      expect(ran.stdout).toBe('')
    }
  })
})
