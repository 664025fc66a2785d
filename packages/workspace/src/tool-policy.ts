/**
 * What agents of this user may do, from the user's own config and from nowhere else: neither a project nor a plan can say
 * more. Without a word in the config they read the working folder and use memory, and nothing else.
 */
import type { HttpPolicy, McpServer, ShellPolicy } from '@agentm/harness/tools'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { z } from 'zod'
import { HarnessConfigError } from './harness-config-error.ts'
import { settingOf } from './json-setting.ts'

export interface ToolPolicy {
  readonly shell: ShellPolicy | undefined
  readonly files: 'off' | 'read' | 'write'
  readonly http: HttpPolicy | undefined
  readonly memory: 'off' | 'recall' | 'save'
  readonly servers: readonly McpServer[]
  /** Names of tools a person has to agree to each call of. */
  readonly approve: readonly string[]
  /** Variables that hold keys for servers. */
  readonly keyVariables: readonly string[]
}

const texts = z.array(z.string())
const flag = z.boolean()
const milliseconds = z.int().min(1)

const serverSchema = z.union([
  z.strictObject({
    command: z.string().min(1),
    args: texts.optional(),
    variables: texts.optional(),
    timeoutMs: milliseconds.optional(),
  }),
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }),
    keyVariable: z.string().min(1).optional(),
    timeoutMs: milliseconds.optional(),
  }),
])

export function toolPolicy(config: InstallConfig, { env }: Pick<SelectionWorld, 'env'>): ToolPolicy {
  const approve = settingOf(config, 'tools.approve', texts) ?? []
  const configured = serversOf(config)
  return {
    shell: shellOf(config, approve),
    files: settingOf(config, 'tools.files', z.enum(['off', 'read', 'write'])) ?? 'read',
    http: httpOf(config, approve),
    memory: settingOf(config, 'tools.memory', z.enum(['off', 'recall', 'save'])) ?? 'save',
    servers: configured.map(([name, server]) => serverOf(name, server, { env, approve })),
    approve,
    keyVariables: configured.flatMap(([, server]) => ('url' in server ? (server.keyVariable ?? []) : [])),
  }
}

function shellOf(config: InstallConfig, approve: readonly string[]): ShellPolicy | undefined {
  const allow = settingOf(config, 'tools.shell.allow', texts) ?? []
  const interpret = settingOf(config, 'tools.shell.interpret', flag) ?? false
  if (allow.length === 0 && !interpret) return undefined
  const timeoutMs = settingOf(config, 'tools.shell.timeoutMs', milliseconds)
  const variables = settingOf(config, 'tools.shell.variables', texts) ?? []
  const policy = { allow, interpret, variables, needsApproval: approve.includes('shell') }
  return timeoutMs === undefined ? policy : { ...policy, timeoutMs }
}

function httpOf(config: InstallConfig, approve: readonly string[]): HttpPolicy | undefined {
  const hosts = settingOf(config, 'tools.http.hosts', texts) ?? []
  const privateHosts = settingOf(config, 'tools.http.privateHosts', texts) ?? []
  if (hosts.length + privateHosts.length === 0) return undefined
  return { hosts, privateHosts, needsApproval: approve.includes('http_send') }
}

type Server = z.infer<typeof serverSchema>
const mcpPrefix = 'tools.mcp.'

function serversOf(config: InstallConfig): readonly (readonly [name: string, server: Server])[] {
  return Object.keys(config.values)
    .filter((key) => key.startsWith(mcpPrefix))
    .map((key) => {
      const name = key.slice(mcpPrefix.length)
      if (!/^[A-Za-z0-9_-]{1,24}$/.test(name))
        throw new HarnessConfigError(
          `${config.file}: "${key}" names its server with other than letters, digits, - and _.`,
        )
      return [name, settingOf(config, key, serverSchema)] as const
    })
    .flatMap(([name, server]) => (server === undefined ? [] : [[name, server] as const]))
}

function serverOf(
  name: string,
  server: Server,
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
      `${mcpPrefix}${name} takes its key from ${keyVariable}, and that variable is not set here.`,
    )
  return { ...common, url, headers: { authorization: `Bearer ${key}` } }
}
