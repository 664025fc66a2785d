import { describe, expect, it } from 'vitest'
import { claudeCodeGrant } from '../../src/pure/claude-code-grant.ts'
import type { ClientGrant } from '../../src/pure/client-grant.ts'
import { type ClientPolicy, narrowed } from '../../src/pure/client-policy.ts'
import { codexGrant } from '../../src/pure/codex-grant.ts'
import { geminiGrant } from '../../src/pure/gemini-grant.ts'
import { opencodeGrant } from '../../src/pure/opencode-grant.ts'

const policy = (more: Partial<ClientPolicy> = {}): ClientPolicy => ({ files: 'off', shell: [], hosts: [], ...more })

/** The policy file of Gemini CLI. */
function rules(shell: ClientPolicy['shell']): string {
  return geminiGrant(policy({ shell })).files['--admin-policy'] ?? ''
}

/** The words after an option of Claude Code. */
function after(option: string, { args }: Pick<ClientGrant, 'args'>): readonly string[] {
  const from = args.indexOf(option) + 1
  const end = args.findIndex((arg, i) => i >= from && arg.startsWith('--'))
  return from === 0 ? [] : args.slice(from, end === -1 ? undefined : end)
}

describe('Claude Code', () => {
  it.each<[Partial<ClientPolicy>, tools: string, allowed: string]>([
    [{}, '', ''],
    [{ files: 'read' }, 'Read,Glob,Grep', 'Read Glob Grep'],
    [{ files: 'write' }, 'Read,Glob,Grep,Edit,Write,NotebookEdit', 'Read Glob Grep Edit Write NotebookEdit'],
    [
      { files: 'read', shell: ['npm test', 'node'] },
      'Read,Glob,Grep,Bash',
      'Read Glob Grep Bash(npm test:*) Bash(node:*)',
    ],
    [{ files: 'read', shell: 'any' }, 'Read,Glob,Grep,Bash', 'Read Glob Grep Bash'],
    [{ hosts: ['example.com'] }, 'WebFetch', 'WebFetch(domain:example.com)'],
    // It could read files with a command.
    [{ files: 'off', shell: ['node'] }, '', ''],
    // These characters mean something in a rule, and these hosts more than a name.
    [{ files: 'read', shell: ['a(b', 'c:*'] }, 'Read,Glob,Grep', 'Read Glob Grep'],
    [{ hosts: ['*.example.com', 'localhost:80'] }, '', ''],
  ])('gets of %j no more than that', (more, tools, allowed) => {
    const grant = claudeCodeGrant(policy(more))
    expect([after('--tools', grant).join(' '), after('--allowedTools', grant).join(' ')]).toEqual([tools, allowed])
    expect(grant.args.slice(0, 4)).toEqual(['--restricted', '--strict-mcp-config', '--permission-mode', 'dontAsk'])
  })

  it('says what it does not get', () => {
    const { withheld } = claudeCodeGrant(policy({ files: 'read', shell: ['a(b'], hosts: ['*.example.com'] }))
    expect(withheld).toHaveLength(2)
  })
})

describe('Codex', () => {
  it.each<[Partial<ClientPolicy>, string]>([
    [{}, 'tools.shell.allow'],
    [{ files: 'write', shell: ['npm'] }, 'tools.shell.allow'],
    [{ files: 'off', shell: 'any' }, 'tools.files'],
  ])('is refused under %j', (more, setting) => {
    expect(codexGrant(policy(more))).toEqual({ refused: expect.stringContaining(setting) })
  })

  it.each<[ClientPolicy['files'], string]>([
    ['read', 'sandbox_mode="read-only" approval_policy="never" web_search="disabled"'],
    [
      'write',
      'sandbox_mode="workspace-write" approval_policy="never" web_search="disabled" sandbox_workspace_write.network_access=true',
    ],
  ])('runs with files: %s in a sandbox and asks nobody', (files, settings) => {
    const grant = codexGrant(policy({ files, shell: 'any' }))
    expect('args' in grant ? grant.args.filter((arg) => arg !== '-c').join(' ') : '').toBe(settings)
  })
})

describe('Gemini CLI', () => {
  it.each<[Partial<ClientPolicy>, string]>([
    [{}, '["write_todos"]'],
    [{ files: 'read' }, '["write_todos","read_file","list_directory","glob","grep_search"]'],
    [{ files: 'write' }, '["write_todos","read_file","list_directory","glob","grep_search","replace","write_file"]'],
  ])('gets of %j these tools, and no other', (more, tools) => {
    expect(geminiGrant(policy(more)).files['--admin-policy']).toBe(
      `[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 1\n\n[[rule]]\ntoolName = ${tools}\ndecision = "allow"\npriority = 100\n`,
    )
  })

  it('gets the programs of a list, without redirection, or all of them', () => {
    expect(rules(['npm  test'])).toContain(
      'toolName = "run_shell_command"\ndecision = "allow"\npriority = 100\ncommandPrefix = ["npm test"]',
    )
    expect(rules(['npm test'])).not.toContain('allowRedirection')
    expect(rules('any')).not.toContain('commandPrefix')
  })

  it('gets no hooks, no extension and no MCP server of a project', () => {
    const { args, files } = geminiGrant(policy())
    expect(args).toEqual(['--skip-trust', '--allowed-mcp-server-names', 'none', '--extensions', 'none'])
    expect(JSON.parse(files.$GEMINI_CLI_SYSTEM_SETTINGS_PATH ?? '')).toMatchObject({ hooksConfig: { enabled: false } })
  })
})

describe('opencode', () => {
  it.each<[Partial<ClientPolicy>, string]>([
    [{}, 'todowrite todoread'],
    [{ files: 'read' }, 'read glob grep list todowrite todoread'],
    [{ files: 'write', shell: 'any' }, 'read glob grep list edit todowrite todoread bash external_directory'],
    [{ files: 'read', shell: 'any' }, 'read glob grep list todowrite todoread bash'],
    // What an allowed program prints could be redirected to any file.
    [{ files: 'read', shell: ['node'] }, 'read glob grep list todowrite todoread'],
    [{ hosts: ['example.com'] }, 'todowrite todoread'],
  ])('gets of %j no more than that', (more, allowed) => {
    const { environment, args } = opencodeGrant(policy(more))
    const { permission, agent } = JSON.parse(environment['OPENCODE_CONFIG_CONTENT'] ?? '') as {
      permission: Record<string, string>
      agent: { build: { permission: Record<string, string> } }
    }
    expect(
      Object.keys(permission)
        .filter((tool) => permission[tool] === 'allow')
        .join(' '),
    ).toBe(allowed)
    expect([permission['*'], Object.keys(permission)[0]]).toEqual(['deny', '*'])
    expect(agent.build.permission).toEqual(permission)
    expect(args).toEqual(['--pure', '--agent', 'build'])
  })
})

describe('a step', () => {
  const allowed = policy({ files: 'write', shell: ['npm', 'git status'], hosts: ['example.com'] })

  it.each<[Parameters<typeof narrowed>[1], ClientPolicy]>([
    [undefined, allowed],
    [{ files: 'read' }, { ...allowed, files: 'read' }],
    [{ shell: ['npm test', 'git status --short'] }, { ...allowed, shell: ['npm test', 'git status --short'] }],
    [{ files: 'off', shell: [], hosts: [] }, policy()],
  ])('may take away permissions: %j', (asked, expected) => {
    expect(narrowed(allowed, asked)).toEqual({ policy: expected })
  })

  it.each<[Parameters<typeof narrowed>[1], string]>([
    [{ shell: ['git'] }, 'shell: git'],
    [{ shell: ['git push'] }, 'shell: git push'],
    [{ shell: ['npmx'] }, 'shell: npmx'],
    [{ shell: ['*'] }, 'shell: *'],
    [{ hosts: ['other.example.com'] }, 'hosts: other.example.com'],
  ])('may not add any: %j', (asked, named) => {
    expect(narrowed(allowed, asked)).toEqual({ refused: expect.stringContaining(named) })
    expect(narrowed(policy({ files: 'read' }), { files: 'write' })).toHaveProperty('refused')
  })

  it('may name programs where all are allowed', () => {
    expect(narrowed(policy({ shell: 'any' }), { shell: ['npm test'] })).toEqual({
      policy: policy({ shell: ['npm test'] }),
    })
    expect(narrowed(policy({ shell: 'any' }), { shell: ['*'] })).toEqual({ policy: policy({ shell: 'any' }) })
  })
})
