/**
 * The tools of MCP servers that the user configured. A server is started when its tools are first needed, and restarted if it has
 * ended. A server's claims can be wrong, so a tool counts as read-only only if its server says so.
 */
import { createRequire } from 'node:module'
import { z } from 'zod'
import type { Tool } from '../loop/tool.ts'
import { ToolError } from '../loop/tool-error.ts'
import { childEnvironment, usuallyAllowed } from '../programs/pure/child-environment.ts'
import { programFile } from '../programs/spawn-program.ts'
import type { MediaPolicy } from '../media/media-part.ts'
import { mcpAnswer } from './mcp-answer.ts'
import type { Client, Transport } from './mcp-sdk.ts'
import { isSecretName } from './pure/shell-policy.ts'

/** An MCP server: a program to start, or an address. */
export type McpServer = { readonly name: string; readonly timeoutMs?: number; readonly needsApproval?: boolean } & (
  | {
      readonly command: string
      readonly args?: readonly string[]
      /** Names of environment variables that it sees in addition to the usual ones. */
      readonly variables?: readonly string[]
      readonly directory?: string
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> }
)

/** Options of `openMcpTools`. */
export interface McpToolsOptions {
  readonly servers: readonly McpServer[]
  /** The environment from which allowed variables are taken (default: that of this process). */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names of variables with keys of agentm, which are never passed on. */
  readonly secrets?: readonly string[]
  /** Which pictures and documents of tools that only read the model can be shown, and where they are kept (default: none). */
  readonly media?: MediaPolicy
}

/** The tools of MCP servers, and which servers could not be used. Close it when you are done. */
export interface McpTools {
  readonly tools: readonly Tool[]
  /** Servers whose tools cannot be used, and why. */
  readonly problems: readonly { readonly server: string; readonly why: string }[]
  close(): Promise<void>
}

/**
 * Starts MCP servers and gives their tools to an agent. A tool counts as read-only when its server says so.
 *
 * @example
 * ```ts
 * import { openMcpTools } from '@agentm/agent-loop/tools'
 *
 * const { tools, problems, close } = await openMcpTools({ servers: [] })
 * console.log(tools.length, problems.length) // 0 0
 * await close()
 * ```
 */
export async function openMcpTools(options: McpToolsOptions): Promise<McpTools> {
  const links = options.servers.map((server) => new ServerLink(server, options))
  const opened = await Promise.all(links.map(async (link) => toolsOrProblem(link)))
  return {
    tools: opened.flatMap((each) => ('tools' in each ? each.tools : [])),
    problems: opened.flatMap((each) => ('why' in each ? [each] : [])),
    async close() {
      await Promise.all(links.map(async (link) => link.close()))
    },
  }
}

type Opened = { readonly tools: readonly Tool[] } | { readonly server: string; readonly why: string }

async function toolsOrProblem(link: ServerLink): Promise<Opened> {
  const { name: server } = link.server
  try {
    return { tools: await toolsOf(link) }
  } catch (error) {
    await link.close()
    return { server, why: error instanceof Error ? error.message : String(error) }
  }
}

async function toolsOf(link: ServerLink): Promise<readonly Tool[]> {
  const client = await link.client()
  const found: ListedTool[] = []
  let cursor: string | undefined
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: link.timeoutMs })
    found.push(...page.tools)
    cursor = page.nextCursor
  } while (cursor !== undefined && found.length < mostTools)
  return found.map((tool) => toolOf(link, tool))
}

const mostTools = 500

type ListedTool = Awaited<ReturnType<Client['listTools']>>['tools'][number]

const anyArgs = z.record(z.string(), z.unknown())

function toolOf(link: ServerLink, { name, description = '', inputSchema, annotations }: ListedTool): Tool {
  const { server, timeoutMs } = link
  const readsOnly = annotations?.readOnlyHint === true
  return {
    name: toolName(server.name, name),
    description,
    input: inputSchema,
    nature: readsOnly ? 'pure' : 'effectful',
    polling: false,
    needsApproval: !readsOnly && (server.needsApproval ?? false),
    retry: { timeoutMs },
    parse: (args) => anyArgs.parse(args),
    async run(args, { signal }) {
      const client = await link.client()
      const asked = { name, arguments: anyArgs.parse(args) }
      try {
        const result = await client.callTool(asked, undefined, { signal, timeout: timeoutMs })
        return await mcpAnswer(result, { name: asked.name, media: link.media })
      } catch (error) {
        throw withoutSecrets(server, error)
      }
    },
  }
}

/** A name that every provider accepts. It contains the server's name, so that no server can replace another's tool. */
function toolName(server: string, tool: string): string {
  return `mcp_${server}_${tool}`.replaceAll(/[^\w-]/g, '_').slice(0, 64)
}

/** Removes headers from error messages, because a server may repeat what it was sent. */
function withoutSecrets(server: McpServer, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error)
  const headers = 'url' in server ? Object.values(server.headers ?? {}) : []
  const secrets = headers.flatMap((value) => [value, ...value.split(' ')]).filter((word) => word.length >= 8)
  const told = secrets.reduce((text, secret) => text.replaceAll(secret, '[key]'), message)
  return told === message && error instanceof Error ? error : new Error(told)
}

/** One server. It is connected on demand. */
class ServerLink {
  readonly server: McpServer
  readonly timeoutMs: number
  readonly #options: McpToolsOptions
  #opening: Promise<Client> | undefined

  constructor(server: McpServer, options: McpToolsOptions) {
    this.server = server
    this.timeoutMs = server.timeoutMs ?? 60_000
    this.#options = options
  }

  get media(): MediaPolicy | undefined {
    return this.#options.media
  }

  async client(): Promise<Client> {
    const opening = (this.#opening ??= this.#open())
    try {
      return await opening
    } catch (error) {
      if (this.#opening === opening) this.#opening = undefined
      const { message: why } = withoutSecrets(this.server, error)
      throw new ToolError('unavailable', `the MCP server ${this.server.name} cannot be reached: ${why}`, {
        mayHaveHappened: false,
      })
    }
  }

  async close(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    const client = await opening?.catch(() => undefined)
    await client?.close()
  }

  async #open(): Promise<Client> {
    // The protocol is loaded only if such servers are used.
    const { Client: McpClient } = await import('./mcp-sdk.ts')
    const client = new McpClient({ name: 'agentm', version: version() })
    Object.assign(client, { onclose: () => (this.#opening = undefined) })
    await client.connect(await this.#transport(), { timeout: this.timeoutMs })
    return client
  }

  async #transport(): Promise<Transport> {
    const { server } = this
    if ('url' in server) {
      const { StreamableHTTPClientTransport } = await import('./mcp-sdk.ts')
      return new StreamableHTTPClientTransport(new URL(server.url), {
        requestInit: { headers: { ...server.headers }, redirect: 'error' },
      })
    }
    const { StdioClientTransport } = await import('./mcp-sdk.ts')
    const { environment = process.env, secrets } = this.#options
    const named = [...usuallyAllowed, ...(server.variables ?? [])].filter((name) => !isSecretName(name, secrets))
    const options = {
      env: { ...childEnvironment(environment, named) },
      ...(server.directory === undefined ? {} : { cwd: server.directory }),
    }
    const command = programFile(server.command, options)
    return new StdioClientTransport({ ...options, command, args: [...(server.args ?? [])], stderr: 'ignore' })
  }
}

function version(): string {
  return (createRequire(import.meta.url)('../../package.json') as { version: string }).version
}
