/**
 * The model and the tools of agents, as configured. Neither is opened before it is needed, so that looking at plans starts no
 * server.
 */
import type { Tool } from '@agentm/agent-loop'
import type { MediaPolicy } from '@agentm/agent-loop/internal'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import {
  checkPriced,
  type ConfiguredModel,
  configuredModel,
  modelKeyVariables,
  type ModelRole,
} from './configured-model.ts'
import { type ConfiguredTools, configuredTools, type ToolsContext, type ToolsFor } from './configured-tools.ts'
import { mediaPolicy } from './media-policy.ts'
import { toolPolicy } from './tool-policy.ts'
import type { WorkspaceObserver } from './workspace-observer.ts'

export interface AgentsContext {
  readonly config: InstallConfig
  readonly world: SelectionWorld
  readonly directory: string
  readonly owner: string
  readonly partition: string
  readonly memory: ToolsContext['memory']
  /** Looks at models and tools. */
  readonly observer?: WorkspaceObserver | undefined
}

export interface ConfiguredAgents {
  /** The model for this use (default: that of the steps of agents); `undefined` if none is configured. */
  model(role?: ModelRole): Promise<ConfiguredModel | undefined>
  /** What an agent can be given here; for the owner and the project it was opened for, where nothing else is said. */
  tools(step?: ToolsFor): Promise<readonly Tool[]>
  /** Which pictures and documents the model takes, and where their bytes are. */
  readonly media: MediaPolicy
  /** Configured tools that are unavailable, and why. */
  problems(): Promise<ConfiguredTools['problems']>
  /** Throws if a cost limit is set but the model has no price. */
  checkPriced(): Promise<void>
  /** Ends the servers that were started. */
  close(): Promise<void>
}

export function configuredAgents({ config, world, observer, ...place }: AgentsContext): ConfiguredAgents {
  const media = mediaPolicy(config, world)
  const models = new Map<ModelRole, Promise<ConfiguredModel | undefined>>()
  let tools: Promise<ConfiguredTools> | undefined
  const modelOnce = async (role: ModelRole = 'worker') => {
    const model = models.get(role) ?? configuredModel(config, world, role, observer)
    models.set(role, model)
    return model
  }
  const toolsOnce = async (): Promise<ConfiguredTools> => (tools ??= openTools())
  const openTools = async (): Promise<ConfiguredTools> => {
    const policy = toolPolicy(config, world)
    const secrets = [...policy.keyVariables, ...modelKeyVariables(config)]
    return configuredTools({ ...place, policy, world, secrets, media })
  }
  return {
    model: modelOnce,
    media,
    async tools(step = place) {
      const given = (await toolsOnce()).toolsFor(step)
      return observer?.tools(given) ?? given
    },
    problems: async () => (await toolsOnce()).problems,
    checkPriced: async () => {
      for (const role of ['worker', 'planner', 'judge'] as const) checkPriced(await modelOnce(role))
    },
    async close() {
      const opened = await tools?.catch(() => undefined)
      tools = undefined
      await opened?.close()
    },
  }
}
