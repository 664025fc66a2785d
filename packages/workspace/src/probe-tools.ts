/** The tools agents are given in one directory, with MCP servers started as a worker would start them, and ended again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { configuredAgents } from './configured-agents.ts'
import { ownerName } from './owner-name.ts'
import { toolPolicy } from './tool-policy.ts'
import type { WorkspaceBase } from './workspace-base.ts'

/** Which tools agents get in this directory, and what is wrong with the others. */
export interface ToolsProbe {
  /** Absent where the servers were not all heard in time. */
  readonly tools?: readonly string[]
  readonly problems: readonly { readonly server: string; readonly why: string }[]
  /** The MCP servers of the config. */
  readonly servers: readonly string[]
}

export interface ToolsProbeOptions {
  /** How long the servers may take (default: 5 s). */
  readonly withinMs?: number
}

export async function probeTools(
  { config: read, world, directory }: WorkspaceBase,
  { withinMs = 5000 }: ToolsProbeOptions = {},
): Promise<ToolsProbe> {
  const config = await read()
  const servers = toolPolicy(config, world).servers.map(({ name }) => name)
  const agents = configuredAgents({
    config,
    world,
    directory,
    owner: ownerName(config),
    partition: '_global',
    memory: unasked,
  })
  const over = new AbortController()
  const tooLate = sleep(withinMs, undefined, { signal: over.signal }).catch(() => undefined)
  const opening = Promise.all([agents.tools(), agents.problems()])
  // Servers that are late are ended, too, without waiting for them.
  const closing = () => agents.close()
  opening.then(closing, closing).catch(() => undefined)
  try {
    const found = await Promise.race([opening, tooLate])
    if (found === undefined) return { problems: [], servers }
    const [tools, problems] = found
    return { tools: tools.map(({ name }) => name), problems, servers }
  } finally {
    over.abort()
  }
}

/** Throws if a tool is called, because the probe only lists the tools. */
async function unasked(): Promise<never> {
  throw new TypeError('a tool was called while tools were only named')
}
