import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { changeHostFile } from '../src/hosts/change-host-file.ts'
import { HostConfigError, type HostFile } from '../src/hosts/host-file.ts'
import { hosts } from '../src/hosts/hosts.ts'
import { CliWorld } from './cli-world.ts'

async function setup(): Promise<CliWorld> {
  const world = await CliWorld.forThisTest()
  world.variables['PATH'] = world.pathWithoutAgentm
  return world
}

const npx = { command: 'npx', args: ['-y', '@agentm/cli', 'mcp'] }
const inWorkspace = { command: 'npx', args: [...npx.args, '--cwd', '${workspaceFolder}'] }
const names = hosts.map(({ name }) => name)

interface Hook {
  readonly command: string
}
type Groups = Readonly<Record<string, ReadonlyArray<Hook & { readonly hooks?: readonly Hook[] }>>>

/** The command of every event, in order. */
function commandsOf(config: { readonly hooks: Groups }): readonly (readonly [string, string])[] {
  return Object.entries(config.hooks).map(([event, groups]) => {
    const [only, ...more] = groups.flatMap((group) => group.hooks ?? [group])
    expect(more).toEqual([])
    return [event, only?.command ?? ''] as const
  })
}

describe('agentm init --host', () => {
  it.each([
    ['claude-code', 'repo/.mcp.json', { mcpServers: { agentm: npx } }],
    ['cursor', 'repo/.cursor/mcp.json', { mcpServers: { agentm: inWorkspace } }],
    ['vscode', 'repo/.vscode/mcp.json', { servers: { agentm: { type: 'stdio', ...inWorkspace } } }],
    ['gemini', 'repo/.gemini/settings.json', { mcpServers: { agentm: npx } }],
    [
      'opencode',
      'repo/opencode.json',
      { mcp: { agentm: { type: 'local', command: ['npx', ...npx.args], enabled: true } } },
    ],
    ['zed', '.config/zed/settings.json', { context_servers: { agentm: npx } }],
    ['windsurf', '.codeium/windsurf/mcp_config.json', { mcpServers: { agentm: npx } }],
  ])('writes the server where %s reads it', async (host, file, config) => {
    const world = await setup()
    expect(await world.json(['init', '--host', host])).toMatchObject({ host, outcome: 'connected' })
    expect(JSON.parse(await world.read(file))).toMatchObject(config)
  })

  it.each([
    [
      'claude-code',
      'repo/.claude/settings.json',
      'SessionStart UserPromptSubmit PreCompact Stop SubagentStop SessionEnd',
    ],
    ['codex', '.codex/hooks.json', 'SessionStart UserPromptSubmit PreCompact Stop SubagentStop SessionEnd'],
    ['gemini', 'repo/.gemini/settings.json', 'SessionStart BeforeAgent AfterAgent SessionEnd'],
    ['cursor', 'repo/.cursor/hooks.json', 'sessionStart beforeSubmitPrompt preCompact stop subagentStop sessionEnd'],
  ])('writes the hooks of %s, which do no harm without agentm and name no place', async (host, file, events) => {
    const world = await setup()
    await world.agentm(['init', '--host', host])
    const commands = commandsOf(JSON.parse(await world.read(file)) as { readonly hooks: Groups })
    expect(commands.map(([event]) => event).join(' ')).toBe(events)
    for (const [, command] of commands)
      expect(command).toMatch(new RegExp(String.raw`^npx -y @agentm/cli hook [a-z-]+ --host ${host} \|\| exit 0$`))
    expect(new Set(commands.map(([, command]) => command)).size).toBe(commands.length)
  })

  it.each(names)('connects and disconnects %s, and the second time changes nothing', async (host) => {
    const world = await setup()
    const before = await filesOf(world)
    expect(await world.json(['init', '--host', host])).toMatchObject({ outcome: 'connected' })
    const connected = await filesOf(world)
    expect(connected.length).toBeGreaterThan(before.length)
    expect(await world.json(['init', '--host', host])).toMatchObject({ outcome: 'unchanged' })
    expect(await filesOf(world)).toEqual(connected)
    expect(await world.json(['init', '--host', host, '--remove'])).toMatchObject({ outcome: 'removed' })
    expect(await filesOf(world)).toEqual(before)
    expect(await world.json(['init', '--host', host, '--remove'])).toMatchObject({ outcome: 'unchanged' })
  })

  it('writes no place on this machine into a file of the project', async () => {
    const world = await setup()
    for (const { name, scope, files } of hosts.filter((host) => host.scope === 'project')) {
      await world.agentm(['init', '--host', name])
      const here = { cwd: world.repo, home: world.home, env: world.variables, platform: process.platform }
      for (const { path: file } of files(here))
        expect([scope, await readFile(file, 'utf8')]).toEqual([
          scope,
          expect.not.stringContaining(path.resolve('/', 'tmp')),
        ])
    }
  })

  it('says what it will change before it does, and how to undo it', async () => {
    const world = await setup()
    await world.file('repo/.claude/settings.json', '{ "model": "opus" }\n')
    const { out, err, code } = await world.agentm(['init', '--host', 'claude-code'])
    expect(code).toBe(0)
    expect(out.split('\n')).toEqual([
      '  .mcp.json              adds the MCP server agentm (a new file)',
      '  .claude/settings.json  adds the hooks SessionStart, UserPromptSubmit, PreCompact, Stop, SubagentStop and SessionEnd',
      'Connected claude-code. Restart claude-code, so that it reads its files again. To undo this: npx @agentm/cli init --host claude-code --remove',
      '',
    ])
    expect(err).toContain('npm install --global @agentm/cli')
  })

  it('changes nothing with --dry-run, and shows what it would add', async () => {
    const world = await setup()
    const before = await filesOf(world)
    const { out } = await world.agentm(['init', '--host', 'codex', '--dry-run'])
    expect(out).toContain('Nothing was changed.')
    expect(out).toContain('[mcp_servers.agentm]\ncommand = "npx"')
    expect(out).toContain('agentm/cli hook session-end --host codex || exit 0')
    expect(await filesOf(world)).toEqual(before)
    await world.agentm(['init', '--host', 'codex'])
    const connected = await filesOf(world)
    expect((await world.agentm(['init', '--host', 'codex', '--remove', '--dry-run'])).out).toContain(
      'removes the MCP server',
    )
    expect(await filesOf(world)).toEqual(connected)
  })

  it('writes TOML for codex, behind what is there, and cuts it out again', async () => {
    const world = await setup()
    const mine = '# mine\nmodel = "o3"\n\n[mcp_servers.other]\ncommand = "x" # x\n'
    const config = await world.file('.codex/config.toml', mine)
    await world.agentm(['init', '--host', 'codex'])
    expect(await readFile(config, 'utf8')).toBe(
      `${mine}\n[mcp_servers.agentm]\ncommand = "npx"\nargs = [ "-y", "@agentm/cli", "mcp" ]\n`,
    )
    const later = `${await readFile(config, 'utf8')}\n[mcp_servers.later]\ncommand = "y"\n`
    await world.file('.codex/config.toml', later)
    await world.agentm(['init', '--host', 'codex', '--remove'])
    expect(await readFile(config, 'utf8')).toBe(`${mine}\n[mcp_servers.later]\ncommand = "y"\n`)
  })

  it('keeps comments, other servers, unknown keys, indentation and line ends, and undoes itself to the byte', async () => {
    const world = await setup()
    const before =
      '{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": {\r\n\t\t\t"command": "x"\r\n\t\t} // stays\r\n\t},\r\n\t"n": 1e400\r\n}\r\n'
    const file = await world.file('repo/.mcp.json', before)
    expect((await world.agentm(['init', '--host', 'claude-code'])).code).toBe(0)
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
    await world.agentm(['init', '--host', 'claude-code', '--remove'])
    expect(await readFile(file, 'utf8')).toBe(before)
  })

  it('keeps a hook that somebody changed, in both directions, and says so', async () => {
    const world = await setup()
    await world.agentm(['init', '--host', 'claude-code'])
    const file = path.join(world.repo, '.claude/settings.json')
    const settings = await readFile(file, 'utf8')
    const changed = settings.replace('"timeout": 10', '"timeout": 25')
    await world.file('repo/.claude/settings.json', changed)
    const again = await world.agentm(['init', '--host', 'claude-code'])
    expect(again.err).toContain('somebody has changed the hook SessionStart')
    expect(await readFile(file, 'utf8')).toBe(changed)
    const { err } = await world.agentm(['init', '--host', 'claude-code', '--remove'])
    expect(err).toContain('somebody has changed the hook SessionStart')
    expect(Object.keys((JSON.parse(await readFile(file, 'utf8')) as { hooks: Groups }).hooks)).toEqual(['SessionStart'])
  })

  it('leaves a plugin that somebody changed, and hooks of others in the same event', async () => {
    const world = await setup()
    await world.agentm(['init', '--host', 'opencode'])
    const plugin = path.join(world.repo, '.opencode/plugins/agentm.js')
    const mine = `${await readFile(plugin, 'utf8')}// mine\n`
    await world.file('repo/.opencode/plugins/agentm.js', mine)
    expect((await world.agentm(['init', '--host', 'opencode', '--remove'])).err).toContain('changed the plugin agentm')
    expect(await readFile(plugin, 'utf8')).toBe(mine)

    const theirs = { version: 1, hooks: { stop: [{ command: 'say done' }] } }
    await world.file('repo/.cursor/hooks.json', JSON.stringify(theirs, undefined, 2))
    await world.agentm(['init', '--host', 'cursor'])
    await world.agentm(['init', '--host', 'cursor', '--remove'])
    expect(JSON.parse(await world.read('repo/.cursor/hooks.json'))).toEqual(theirs)
  })

  it.each([
    ['claude-code', 'repo/.mcp.json', '{ "mcpServers": { "agentm": { "command": "my-own" } } }', 'another way'],
    ['claude-code', 'repo/.mcp.json', '{ "mcpServers": [] }', 'not an object'],
    ['claude-code', 'repo/.mcp.json', '[]', 'does not contain an object'],
    ['claude-code', 'repo/.mcp.json', '{ "mcpServers": ', 'not valid JSON'],
    ['claude-code', 'repo/.claude/settings.json', '{ "hooks": { "Stop": {} } }', '"hooks.Stop" that is not a list'],
    ['codex', '.codex/config.toml', 'mcp_servers = { other = { command = "x" } }\n', 'cannot be changed'],
    ['codex', '.codex/config.toml', '[mcp_servers.agentm]\ncommand = "my-own"\n', 'another way'],
    ['codex', '.codex/config.toml', 'not toml', 'cannot be changed'],
  ])('changes no file of %s where one of them cannot be: %s %s', async (host, name, text, why) => {
    const world = await setup()
    await world.file(name, text)
    const before = await filesOf(world)
    const { code, err } = await world.agentm(['init', '--host', host])
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(why) })
    expect(err).toContain('Add this by hand:')
    expect(await filesOf(world)).toEqual(before)
  })

  it('writes behind a link, and leaves the link in both directions', async () => {
    const world = await setup()
    await mkdir(path.join(world.home, '.codex'))
    const real = await world.file('dotfiles/codex.toml', '')
    const link = path.join(world.home, '.codex/config.toml')
    await symlink(real, link)
    await world.agentm(['init', '--host', 'codex'])
    expect(await readFile(real, 'utf8')).toContain('[mcp_servers.agentm]')
    await world.agentm(['init', '--host', 'codex', '--remove'])
    expect(await readlink(link)).toBe(real)
    expect(await readFile(real, 'utf8')).toBe('')
  })

  it('names the hosts it knows for one that it does not, and refuses its options without a host', async () => {
    const world = await setup()
    const { code, err } = await world.agentm(['init', '--host', 'emacs'])
    expect(code).toBe(2)
    expect(err).toContain('claude-code, codex, gemini, opencode, cursor, vscode')
    for (const option of ['--remove', '--dry-run'])
      expect(await world.agentm(['init', option])).toMatchObject({
        code: 2,
        err: expect.stringContaining('--host HOST'),
      })
  })
})

describe('a file of a host', () => {
  const world = { cwd: '/repo', home: '/home/me', env: { PATH: '' }, platform: 'linux' } as const

  it.each(['linux', 'win32'] as const)('turns from npx to the installed command and back, on %s', async (platform) => {
    const [bin, other] = await Promise.all([installed(), installed()])
    for (const { name, files } of hosts) {
      const [plain, here, there] = ['', bin, other].map((PATH) => files({ ...world, platform, env: { PATH } }))
      for (const [i, file] of (plain ?? []).entries()) {
        const [installedHere, installedThere] = [here?.[i] ?? file, there?.[i] ?? file]
        const first = changeHostFile(undefined, file, 'connect').text
        const second = changeHostFile(first, installedHere, 'connect')
        // A rule names no command.
        const isRule = file.format === 'text' && file.name.noun === 'the rule'
        expect([name, second.text === first]).toEqual([name, isRule])
        expect(second.steps.every(({ outcome }) => outcome === 'replaced' || outcome === 'present')).toBe(true)
        // An installation moves with every version of Node.
        const third = changeHostFile(second.text, installedThere, 'connect')
        expect(changeHostFile(third.text, file, 'connect').text).toBe(first)
        for (const text of [first, second.text, third.text])
          expect(changeHostFile(text, file, 'disconnect').text).toBeUndefined()
      }
    }
  })

  const documents = hosts.flatMap(({ name, files }) => files(world).map((file) => ({ name, file })))

  it.each(documents.filter(({ file }) => file.format === 'json'))(
    'of $name, $file.path, is as before when its parts are gone',
    ({ file }) => {
      const words = fc.constantFrom(
        'mcpServers',
        'servers',
        'hooks',
        'mcp',
        'other',
        'context_servers',
        'Stop',
        'stop',
        'x y',
      )
      const { value } = fc.letrec<{ value: unknown; list: readonly unknown[]; table: object }>((tie) => ({
        value: fc.oneof({ maxDepth: 3 }, fc.constantFrom(1, 'a', true, null), tie('list'), tie('table')),
        list: fc.array(tie('value'), { minLength: 1, maxLength: 2 }),
        table: fc.dictionary(words, tie('value'), { minKeys: 1, maxKeys: 3 }),
      }))
      fc.assert(
        fc.property(
          fc.dictionary(words, value, { minKeys: 1, maxKeys: 4 }),
          fc.constantFrom(2, 4, '\t'),
          (document, indent) => {
            const before = `${JSON.stringify(document, undefined, indent)}\n`
            const connected = connectedOrRefused(before, file)
            // Something else was where a host has its servers or hooks.
            fc.pre(connected !== 'HOST_CONFIG')
            expect(changeHostFile(connected, file, 'connect').text).toBe(connected)
            expect(changeHostFile(connected, file, 'disconnect').text).toBe(before)
          },
        ),
        { numRuns: 60 },
      )
    },
  )
})

function connectedOrRefused(before: string, file: HostFile): string | undefined {
  try {
    return changeHostFile(before, file, 'connect').text
  } catch (error) {
    if (error instanceof HostConfigError) return error.code
    throw error
  }
}

/** A directory with the command in it, under both of its names. */
async function installed(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'agentm-installed-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  for (const name of ['agentm', 'agentm.cmd']) await writeFile(path.join(directory, name), '', { mode: 0o755 })
  return directory
}

/** Every file of the home with its text, without what is ours alone. */
async function filesOf(world: CliWorld): Promise<readonly string[]> {
  const entries = await readdir(world.home, { recursive: true })
  const files = entries.filter((name) => !/^\.cache|^\.agentm|^repo\/\.git\/|^bin/.test(name)).toSorted()
  const found = await Promise.all(
    files.map(async (name) => {
      const place = path.join(world.home, name)
      return (await lstat(place)).isFile() ? `${name} ${await readFile(place, 'utf8')}` : name
    }),
  )
  return found.filter(
    (line) => !['.codex', '.config', '.config/zed', '.codeium', '.codeium/windsurf', '.config/Claude'].includes(line),
  )
}
