/**
 * What agents of this user may do. It comes only from the user's own config; a project or a plan cannot extend it. By default
 * agents read the working directory, recall what memory knows, and propose notes.
 */
import type { HttpPolicy, McpServer, ShellPolicy } from '@agentm/agent-loop/tools'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import type { ConfigValues, McpServerSetting } from '@agentm/settings'
import { HarnessConfigError } from './harness-config-error.ts'

export interface ToolPolicy {
  readonly shell: ShellPolicy | undefined
  readonly files: 'off' | 'read' | 'write'
  readonly http: HttpPolicy | undefined
  readonly memory: 'off' | 'recall' | 'propose' | 'save'
  readonly servers: readonly McpServer[]
  /** Names of tools for which a person must approve each call. */
  readonly approve: readonly string[]
  /** Environment variables with keys for servers. */
  readonly keyVariables: readonly string[]
}

export function toolPolicy({ values }: InstallConfig, { env }: Pick<SelectionWorld, 'env'>): ToolPolicy {
  const approve = values['tools.approve'] ?? []
  const configured = serversOf(values)
  return {
    shell: shellOf(values, approve),
    files: values['tools.files'] ?? 'read',
    http: httpOf(values, approve),
    memory: values['tools.memory'] ?? 'propose',
    servers: configured.map(([name, server]) => serverOf(name, server, { env, approve })),
    approve,
    keyVariables: configured.flatMap(([, server]) => ('url' in server ? (server.keyVariable ?? []) : [])),
  }
}

function shellOf(values: ConfigValues, approve: readonly string[]): ShellPolicy | undefined {
  const allow = values['tools.shell.allow'] ?? []
  const interpret = values['tools.shell.interpret'] ?? false
  if (allow.length === 0 && !interpret) return undefined
  const timeoutMs = values['tools.shell.timeoutMs']
  const variables = values['tools.shell.variables'] ?? []
  const policy = { allow, interpret, variables, needsApproval: approve.includes('shell') }
  return timeoutMs === undefined ? policy : { ...policy, timeoutMs }
}

function httpOf(values: ConfigValues, approve: readonly string[]): HttpPolicy | undefined {
  const hosts = values['tools.http.hosts'] ?? []
  const privateHosts = values['tools.http.privateHosts'] ?? []
  if (hosts.length + privateHosts.length === 0) return undefined
  return { hosts, privateHosts, needsApproval: approve.includes('http_send') }
}

const mcpPrefix = 'tools.mcp.'

function serversOf(values: ConfigValues): readonly (readonly [name: string, server: McpServerSetting])[] {
  const keys = Object.keys(values).filter((key): key is `tools.mcp.${string}` => key.startsWith(mcpPrefix))
  return keys.flatMap((key) => {
    const server = values[key]
    return server === undefined ? [] : [[key.slice(mcpPrefix.length), server] as const]
  })
}

function serverOf(
  name: string,
  server: McpServerSetting,
  { env, approve }: { readonly env: SelectionWorld['env']; readonly approve: readonly string[] },
): McpServer {
  const needsApproval = approve.some((tool) => tool === 'mcp' || tool === `mcp_${name}`)
  const common = { name, needsApproval, ...(server.timeoutMs !== undefined && { timeoutMs: server.timeoutMs }) }
  if ('command' in server) {
    const { command, args = [], variables = [] } = server
    return { ...common, command, args, variables }
  }
  const { url, keyVariable } = server
  if (keyVariable === undefined) return { ...common, url }
  const key = env[keyVariable]?.trim() ?? ''
  if (key === '')
    throw new HarnessConfigError(
      `${mcpPrefix}${name} takes its key from the variable ${keyVariable}, which is not set. Set it.`,
    )
  return { ...common, url, headers: { authorization: `Bearer ${key}` } }
}
