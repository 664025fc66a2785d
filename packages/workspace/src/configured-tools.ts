/**
 * The tools of agents, made from the user's policy. Files and programs belong to the worker's directory and its project, and memory
 * to its owner. Steps of other owners or projects get none of these tools.
 */
import { systemRuntime } from '@agentm/agent-loop'
import type { Sandbox, Tool } from '@agentm/agent-loop'
import type { MediaPolicy } from '@agentm/agent-loop/internal'
import type { McpTools, ToolMemory } from '@agentm/agent-loop/tools'
import type { SelectionWorld } from '@agentm/selection/reader'
import type { Memory } from '@agentm/memory'
import type { ToolPolicy } from './tool-policy.ts'

export interface ToolsContext {
  readonly policy: ToolPolicy
  /** Opened when an agent first asks it. */
  readonly memory: () => Promise<Memory>
  /** Which pictures and documents the model takes. */
  readonly media: MediaPolicy
  readonly world: SelectionWorld
  /** The working folder. */
  readonly directory: string
  readonly owner: string
  readonly partition: string
  /** Environment variables with keys. They are not passed to programs. */
  readonly secrets: readonly string[]
}

/** The owner and the project of the step, and the directory it works in (default: the working folder). */
export interface ToolsFor {
  readonly owner: string
  readonly partition: string
  readonly directory?: string
  /** For the programs that it runs (default: none). */
  readonly sandbox?: Sandbox
}

export interface ConfiguredTools {
  toolsFor(step: ToolsFor): readonly Tool[]
  /** MCP servers that are unavailable, and why. */
  readonly problems: McpTools['problems']
  close(): Promise<void>
}

export async function configuredTools(context: ToolsContext): Promise<ConfiguredTools> {
  const { policy, world, secrets, owner, partition } = context
  const { httpTools, memoryTools, openMcpTools } = await import('@agentm/agent-loop/tools')
  const memory = lazyMemory(context.memory)
  const mcp = await openMcpTools({ servers: policy.servers, environment: world.env, secrets, media: context.media })
  const anywhere = [
    ...(policy.http === undefined ? [] : httpTools({ policy: policy.http, runtime: systemRuntime })),
    ...mcp.tools,
  ]
  const needsApproval = policy.approve.includes('memory_save')
  const known = memoryTools({ memory, needsApproval, keepsNotes: policy.memory === 'save' })
  const ofOwner = known.filter(({ name }) => isOfMemory(policy, name))
  const ofFolder = await folderTools(context)
  return {
    problems: mcp.problems,
    toolsFor(step) {
      const isHere = step.partition === partition || step.partition === '_global'
      if (step.owner !== owner) return anywhere
      return isHere
        ? [...ofFolder(step.directory ?? context.directory, step.sandbox), ...ofOwner, ...anywhere]
        : anywhere
    },
    close: () => mcp.close(),
  }
}

function isOfMemory({ memory }: ToolPolicy, name: string): boolean {
  return memory === 'save' || memory === 'propose' || (memory === 'recall' && name === 'memory_recall')
}

async function folderTools({
  policy,
  world,
  secrets,
  media,
}: ToolsContext): Promise<(root: string, sandbox?: Sandbox) => readonly Tool[]> {
  const { fileTools, shellTools } = await import('@agentm/agent-loop/tools')
  const writes = policy.approve.some((name) => name === 'files_write' || name === 'files_edit')
  const environment = world.env
  return (root, sandbox) => {
    const files = fileTools({ root, runtime: systemRuntime, needsApproval: writes, media })
    return [
      ...(policy.files === 'off' ? [] : files.filter(({ nature }) => policy.files === 'write' || nature === 'pure')),
      ...(policy.shell === undefined
        ? []
        : shellTools({
            root,
            policy: policy.shell,
            runtime: systemRuntime,
            environment,
            secrets,
            ...(sandbox && { sandbox }),
          })),
    ]
  }
}

/** Memory of the folder, opened when an agent first asks it. */
function lazyMemory(open: ToolsContext['memory']): ToolMemory {
  return {
    recall: async (request) => (await open()).recall(request),
    save: async (request) => (await open()).save(request),
    capture: async (request) => (await open()).capture(request),
  }
}
