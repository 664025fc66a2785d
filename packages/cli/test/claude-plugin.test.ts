import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcp } from '../src/commands/mcp.ts'
import { table } from '../src/command-table.ts'
import { changeHostFile } from '../src/hosts/change-host-file.ts'
import { hosts } from '../src/hosts/hosts.ts'
import { parsePlanFile } from '../src/plan-file/parse-plan-file.ts'

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

  it('describes the skill for plans, with the tools that there are and a plan file that can be read', async () => {
    const text = await readFile(path.join(plugin, 'plans/SKILL.md'), 'utf8')
    expect(text).toMatch(/^---\nname: plans\ndescription: .{50,1024}\n---\n/)
    const tools = text.match(/`plan_\w+`/g)
    expect(new Set(tools)).toEqual(new Set(['`plan_start`', '`plan_status`', '`plan_change`']))
    const [, file = ''] = /```yaml\n([^`]*)```/.exec(text) ?? []
    const kinds = ['agent', 'approval', 'command']
    expect(parsePlanFile(file, { file: 'plan.yaml', kinds, given: { field: 'name' } }).steps).toHaveLength(3)
  })

  it('has the hooks that agentm init writes', async () => {
    expect(((await json('hooks.json')) as unknown as Hooks).hooks).toEqual(await hooksWritten('claude-code', 1))
  })

  it('never blocks a prompt: not where agentm is absent, and not where it is older than the hook', async () => {
    const { hooks } = (await json('hooks.json')) as unknown as Hooks
    const commands = Object.values(hooks).flatMap((each) => each.flatMap((group) => group.hooks))
    expect(commands).toHaveLength(6)
    for (const { command } of commands) {
      // Words that cmd.exe understands as well. What a shell says of a program that is absent is shown to nobody when it ends with 0.
      const ran = await promisify(execFile)('/bin/sh', ['-c', command], { env: { PATH: '/nowhere' } })
      expect(ran.stdout).toBe('')
    }
  })
})

describe('the Gemini CLI extension', () => {
  it('is at the root of the repository, where gemini extensions install looks for it', async () => {
    const manifest = await json('../gemini-extension.json')
    expect(manifest).toMatchObject({ name: 'agentm', mcpServers: { agentm: { command: 'agentm', args: ['mcp'] } } })
    expect(manifest['version']).toBe((await json('.claude-plugin/plugin.json'))['version'])
    // It finds hooks/hooks.json and skills/ by their names.
    expect(((await json('../hooks/hooks.json')) as unknown as Hooks).hooks).toEqual(await hooksWritten('gemini', 0))
  })
})

/** What `agentm init` writes where agentm is installed. */
async function hooksWritten(name: string, nth: number): Promise<unknown> {
  const bin = await mkdtemp(path.join(tmpdir(), 'agentm-plugin-test-'))
  onTestFinished(() => rm(bin, { recursive: true }))
  await writeFile(path.join(bin, 'agentm'), '', { mode: 0o755 })
  const world = { cwd: '/repo', home: '/home', env: { PATH: bin }, platform: 'linux' } as const
  const file = hosts.find((each) => each.name === name)?.files(world)[nth]
  if (file === undefined) throw new TypeError(`${name} has no file ${nth}`)
  const { hooks } = JSON.parse(changeHostFile(undefined, file, 'connect').text ?? '') as Hooks
  return hooks
}
