/** The programs that agents run in: which files of theirs start us, and what each wants written there. */
import path from 'node:path'
import type { HostDocument, HostFile, HostPart, Keys, Value } from './host-file.ts'
import { cursorRule } from './pure/cursor-rule.ts'
import { hookEvents, type HookEvent, type HookHost } from './pure/hook-events.ts'
import { opencodePlugin } from './pure/opencode-plugin.ts'
import {
  allHookCommands,
  allStartCommands,
  hookCommand,
  type Scope,
  startCommand,
  type Words,
} from './start-command.ts'

export interface HostWorld {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

export interface Host {
  readonly name: string
  /** `project`: its files are in the checkout, and others share them. `user`: they are this person's own. */
  readonly scope: Scope
  readonly files: (world: HostWorld) => readonly HostFile[]
  /** What the host leaves to the person, or does not offer. */
  readonly notices: readonly string[]
}

const inWorkspace = ['--cwd', '${workspaceFolder}']
const noHooks = 'It has no hooks: the agent has the tools, and nothing is learned from its sessions by itself.'
const perProject = `${noHooks} It starts the server in no project: your own notes are served. For a project add "--cwd", "DIR".`

export const hosts: readonly Host[] = [
  {
    name: 'claude-code',
    scope: 'project',
    files: (world) => [
      server(world, { file: '.mcp.json', keys: ['mcpServers'] }),
      hooks(world, { host: 'claude-code', file: '.claude/settings.json', group: handlerInGroup(() => 10) }),
    ],
    notices: ['Claude Code asks once whether it may start the server of .mcp.json.'],
  },
  {
    name: 'codex',
    scope: 'user',
    files: (world) => [
      server(world, {
        file: path.join(codexHome(world), 'config.toml'),
        keys: ['mcp_servers'],
        scope: 'user',
        format: 'toml',
      }),
      hooks(world, {
        host: 'codex',
        file: path.join(codexHome(world), 'hooks.json'),
        // Codex gives the end of a session one second, and three at most.
        group: handlerInGroup((event) => (event === 'session-end' ? 3 : 10)),
      }),
    ],
    notices: ['Codex starts new hooks only after you have looked at them: start codex and type /hooks.'],
  },
  {
    name: 'gemini',
    scope: 'project',
    files: (world) => {
      const file = '.gemini/settings.json'
      const { parts } = hooks(world, { host: 'gemini', file, group: handlerInGroup(() => 10_000) })
      const both = server(world, { file, keys: ['mcpServers'] })
      return [{ ...both, parts: [...both.parts, ...parts] }]
    },
    notices: [
      'Gemini CLI uses the settings of a project only in a folder that you trust. To trust it, type /permissions trust in gemini.',
    ],
  },
  {
    name: 'opencode',
    scope: 'project',
    files: (world) => [
      // Without its schema, opencode adds it, and a file that was ours would not be ours alone any more.
      beginning(
        ['$schema', 'https://opencode.ai/config.json'],
        server(world, {
          file: 'opencode.json',
          keys: ['mcp'],
          entry: (command) => ({ type: 'local', command, enabled: true }),
        }),
      ),
      {
        path: path.join(world.cwd, '.opencode/plugins/agentm.js'),
        format: 'text',
        name: { noun: 'the plugin', name: 'agentm' },
        text: opencodePlugin(hookCommand(world)),
        ours: allHookCommands.map((words) => opencodePlugin(words)),
      },
    ],
    notices: [
      'opencode does not say when a session ends, so agentm looks at a session whenever the agent has answered.',
    ],
  },
  {
    name: 'cursor',
    scope: 'project',
    files: (world) => [
      server(world, {
        file: '.cursor/mcp.json',
        keys: ['mcpServers'],
        entry: (command) => plain([...command, ...inWorkspace]),
      }),
      beginning(
        ['version', 1],
        hooks(world, { host: 'cursor', file: '.cursor/hooks.json', group: (command) => ({ command }) }),
      ),
      {
        path: path.join(world.cwd, '.cursor/rules/agentm.mdc'),
        format: 'text',
        name: { noun: 'the rule', name: 'agentm' },
        text: cursorRule,
        ours: [cursorRule],
      },
    ],
    notices: [
      'Cursor adds nothing to a prompt that a hook has found. The rule tells its agent to call memory_recall.',
      'Cursor asks once whether it may start the server; see Settings, MCP.',
    ],
  },
  {
    name: 'vscode',
    scope: 'project',
    files: (world) => [
      server(world, {
        file: '.vscode/mcp.json',
        keys: ['servers'],
        entry: (command) => ({ type: 'stdio', ...plain([...command, ...inWorkspace]) }),
      }),
    ],
    notices: [noHooks],
  },
  userHost('zed', zedFile, 'context_servers', noHooks),
  userHost('claude-desktop', claudeDesktopFile, 'mcpServers', perProject),
  userHost('windsurf', ({ home }) => path.join(home, '.codeium/windsurf/mcp_config.json'), 'mcpServers', perProject),
]

function userHost(name: string, file: (world: HostWorld) => string, servers: string, notice: string): Host {
  return {
    name,
    scope: 'user',
    files: (world) => [server(world, { file: file(world), keys: [servers], scope: 'user' })],
    notices: [notice],
  }
}

interface ServerPlace {
  readonly file: string
  /** The keys that lead to the servers. */
  readonly keys: Keys
  readonly scope?: Scope
  readonly format?: 'json' | 'toml'
  readonly entry?: (command: Words) => Value
}

function server(
  world: HostWorld,
  { file, keys, scope = 'project', format = 'json', entry = plain }: ServerPlace,
): HostDocument {
  const part: HostPart = {
    kind: 'entry',
    name: { noun: 'the MCP server', name: 'agentm' },
    keys: [...keys, 'agentm'],
    value: entry(startCommand(world, scope)),
    ours: allStartCommands.map(entry),
  }
  return { path: path.resolve(world.cwd, file), format, parts: [part] }
}

interface HookPlace {
  readonly host: Exclude<HookHost, 'opencode'>
  readonly file: string
  readonly group: (command: string, event: HookEvent) => Value
}

function hooks(world: HostWorld, { host, file, group }: HookPlace): HostDocument {
  const events = Object.entries(hookEvents[host]) as readonly (readonly [HookEvent, string])[]
  const parts = events.map(([event, name]): HostPart => {
    const mark = `hook ${event} --host ${host}`
    // A session goes on where agentm is absent, or older than the hook. These are words that cmd.exe understands as well.
    const item = (words: Words) => group(`${words.join(' ')} ${mark} || exit 0`, event)
    return {
      kind: 'item',
      name: { noun: 'the hook', name },
      keys: ['hooks', name],
      value: item(hookCommand(world)),
      ours: allHookCommands.map(item),
      mark,
    }
  })
  return { path: path.resolve(world.cwd, file), format: 'json', parts }
}

function handlerInGroup(timeout: (event: HookEvent) => number): HookPlace['group'] {
  return (command, event) => ({ hooks: [{ type: 'command', command, timeout: timeout(event) }] })
}

/** A new file begins with that. */
function beginning([key, value]: readonly [string, string | number], document: HostDocument): HostDocument {
  return { ...document, parts: [{ kind: 'setting', keys: [key], value }, ...document.parts] }
}

function plain([command, ...args]: readonly string[]): Value {
  return { command, args }
}

function codexHome({ home, env }: HostWorld): string {
  return env['CODEX_HOME'] || path.join(home, '.codex')
}

function zedFile({ home, env, platform }: HostWorld): string {
  return platform === 'win32'
    ? path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Zed', 'settings.json')
    : path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'zed', 'settings.json')
}

function claudeDesktopFile({ home, env, platform }: HostWorld): string {
  const directories: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'),
  }
  const directory = directories[platform] ?? (env['XDG_CONFIG_HOME'] || path.join(home, '.config'))
  return path.join(directory, 'Claude', 'claude_desktop_config.json')
}
