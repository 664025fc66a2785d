/** The programs that agents run in: where each reads its MCP servers from, and how it wants one written down. */
import path from 'node:path'

export interface HostWorld {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
}

export interface McpHost {
  readonly name: string
  /** `project`: a file of the checkout, which others share. `user`: this person's own. */
  readonly scope: 'project' | 'user'
  readonly format: 'json' | 'toml'
  file(world: HostWorld): string
  /** The keys that lead to the servers. */
  readonly servers: readonly string[]
  entry(command: readonly [string, ...string[]]): Readonly<Record<string, unknown>>
  /** What the host leaves to the person. */
  readonly notice?: string
}

const perProject = 'It starts the server in no project: your own notes are served. For a project add "--cwd", "DIR".'
const inWorkspace = ['--cwd', '${workspaceFolder}']

export const mcpHosts: readonly McpHost[] = [
  projectHost('claude-code', '.mcp.json', ['mcpServers'], plain),
  projectHost('cursor', '.cursor/mcp.json', ['mcpServers'], (command) => plain([...command, ...inWorkspace])),
  projectHost('vscode', '.vscode/mcp.json', ['servers'], (command) => ({
    type: 'stdio',
    ...plain([...command, ...inWorkspace]),
  })),
  userHost('codex', ['mcp_servers'], {
    format: 'toml',
    file: ({ home, env }) => path.join(env['CODEX_HOME'] || path.join(home, '.codex'), 'config.toml'),
  }),
  projectHost('gemini', '.gemini/settings.json', ['mcpServers'], plain),
  projectHost('opencode', 'opencode.json', ['mcp'], (command) => ({ type: 'local', command, enabled: true })),
  userHost('zed', ['context_servers'], {
    file: ({ home, env, platform }) =>
      platform === 'win32'
        ? path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'Zed', 'settings.json')
        : path.join(env['XDG_CONFIG_HOME'] || path.join(home, '.config'), 'zed', 'settings.json'),
  }),
  userHost('claude-desktop', ['mcpServers'], { file: claudeDesktopFile, notice: perProject }),
  userHost('windsurf', ['mcpServers'], {
    file: ({ home }) => path.join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    notice: perProject,
  }),
]

function projectHost(name: string, file: string, servers: readonly string[], entry: McpHost['entry']): McpHost {
  return { name, scope: 'project', format: 'json', file: ({ cwd }) => path.join(cwd, file), servers, entry }
}

function userHost(
  name: string,
  servers: readonly string[],
  rest: Pick<McpHost, 'file'> & Partial<Pick<McpHost, 'format' | 'notice'>>,
): McpHost {
  return { name, scope: 'user', format: 'json', servers, entry: plain, ...rest }
}

function plain([command, ...args]: readonly string[]): Readonly<Record<string, unknown>> {
  return { command, args }
}

function claudeDesktopFile({ home, env, platform }: HostWorld): string {
  const directories: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join(home, 'Library', 'Application Support'),
    win32: env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'),
  }
  const directory = directories[platform] ?? (env['XDG_CONFIG_HOME'] || path.join(home, '.config'))
  return path.join(directory, 'Claude', 'claude_desktop_config.json')
}
