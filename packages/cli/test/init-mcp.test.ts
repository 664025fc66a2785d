import { mkdir, readFile, readlink, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CliWorld } from './cli-world.ts'

async function setup(): Promise<CliWorld> {
  const world = await CliWorld.forThisTest()
  world.variables['PATH'] = world.pathWithoutAgentm
  return world
}

const npx = { command: 'npx', args: ['-y', '@agentm/cli', 'mcp'] }
const inWorkspace = { command: 'npx', args: [...npx.args, '--cwd', '${workspaceFolder}'] }

describe('agentm init --mcp', () => {
  it.each([
    ['claude-code', 'repo/.mcp.json', { mcpServers: { agentm: npx } }],
    ['cursor', 'repo/.cursor/mcp.json', { mcpServers: { agentm: inWorkspace } }],
    ['vscode', 'repo/.vscode/mcp.json', { servers: { agentm: { type: 'stdio', ...inWorkspace } } }],
    ['gemini', 'repo/.gemini/settings.json', { mcpServers: { agentm: npx } }],
    ['opencode', 'repo/opencode.json', { mcp: { agentm: opencodeEntry() } }],
    ['zed', '.config/zed/settings.json', { context_servers: { agentm: npx } }],
    ['windsurf', '.codeium/windsurf/mcp_config.json', { mcpServers: { agentm: npx } }],
  ])('writes what %s reads', async (host, file, config) => {
    const world = await setup()
    expect(await world.json(['init', '--mcp', host])).toMatchObject({ outcome: 'written' })
    expect(JSON.parse(await world.read(file))).toEqual(config)
    expect(await world.json(['init', '--mcp', host])).toMatchObject({ outcome: 'unchanged' })
  })

  it('writes TOML for codex, behind what is there', async () => {
    const world = await setup()
    const config = await world.file('.codex/config.toml', '# mine\nmodel = "o3"\n\n[mcp_servers.other]\ncommand = "x"')
    expect((await world.agentm(['init', '--mcp', 'codex'])).code).toBe(0)
    expect(await readFile(config, 'utf8')).toBe(
      '# mine\nmodel = "o3"\n\n[mcp_servers.other]\ncommand = "x"\n\n' +
        '[mcp_servers.agentm]\ncommand = "npx"\nargs = [ "-y", "@agentm/cli", "mcp" ]\n',
    )
    expect(await world.json(['init', '--mcp', 'codex'])).toMatchObject({ outcome: 'unchanged' })
  })

  it('keeps comments, other servers, unknown keys, indentation and line ends', async () => {
    const world = await setup()
    const before =
      '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": {\r\n\t\t\t"command": "x"\r\n\t\t}, // stays\r\n\t},\r\n\t"n": 1e400\r\n}\r\n'
    const file = await world.file('repo/.mcp.json', before)
    expect((await world.agentm(['init', '--mcp', 'claude-code'])).code).toBe(0)
    const after = await readFile(file, 'utf8')
    for (const kept of [
      '\t// mine\r\n',
      '\t\t"other": {\r\n\t\t\t"command": "x"\r\n\t\t}',
      '// stays\r\n',
      '"n": 1e400\r\n}\r\n',
    ])
      expect(after).toContain(kept)
    expect(after).toContain('\t\t"agentm": {\r\n\t\t\t"command": "npx"')
    expect(after.replaceAll('\r\n', '')).not.toContain('\n')
  })

  it.each([
    ['claude-code', 'repo/.mcp.json', '{ "mcpServers": { "agentm": { "command": "my-own" } } }', 'another way'],
    ['claude-code', 'repo/.mcp.json', '{ "mcpServers": [] }', 'not an object'],
    ['claude-code', 'repo/.mcp.json', '[]', 'does not contain an object'],
    ['claude-code', 'repo/.mcp.json', '{ "mcpServers": ', 'not valid JSON'],
    ['codex', '.codex/config.toml', 'mcp_servers = { other = { command = "x" } }\n', 'cannot be changed'],
    ['codex', '.codex/config.toml', '[mcp_servers.agentm]\ncommand = "my-own"\n', 'another way'],
    ['codex', '.codex/config.toml', 'not toml', 'cannot be changed'],
  ])('leaves %s alone where it says something else: %s %s', async (host, name, text, why) => {
    const world = await setup()
    const file = await world.file(name, text)
    const { code, err } = await world.agentm(['init', '--mcp', host])
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(why) })
    expect(err).toContain('Add this by hand:')
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('prints and writes nothing with --print', async () => {
    const world = await setup()
    const { out, err } = await world.agentm(['init', '--mcp', 'claude-code', '--print'])
    expect(JSON.parse(out)).toEqual({ mcpServers: { agentm: npx } })
    expect(err).toContain(path.join(world.repo, '.mcp.json'))
    await expect(world.read('repo/.mcp.json')).rejects.toThrow('ENOENT')
  })

  it('writes behind a link, and leaves the link', async () => {
    const world = await setup()
    await mkdir(path.join(world.home, '.codex'))
    const real = await world.file('dotfiles/codex.toml', '')
    const link = path.join(world.home, '.codex/config.toml')
    await symlink(real, link)
    await world.agentm(['init', '--mcp', 'codex'])
    expect(await readlink(link)).toBe(real)
    expect(await readFile(real, 'utf8')).toContain('[mcp_servers.agentm]')
  })

  it('names the hosts it knows for one that it does not', async () => {
    const world = await setup()
    const { code, err } = await world.agentm(['init', '--mcp', 'emacs'])
    expect(code).toBe(2)
    expect(err).toContain('claude-code, cursor, vscode, codex')
  })
})

function opencodeEntry() {
  return { type: 'local', command: ['npx', ...npx.args], enabled: true }
}
