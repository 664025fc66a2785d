/**
 * The model and the tools of agents, as configured. Neither is opened before it is needed, so that looking at plans starts no
 * server.
 */
import type { Tool } from '@agentm/agent-loop'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import {
  checkPriced,
  type ConfiguredModel,
  configuredModel,
  modelKeyVariables,
  type ModelRole,
} from './configured-model.ts'
import { type ConfiguredTools, configuredTools, type ToolsContext, type ToolsFor } from './configured-tools.ts'
import { toolPolicy } from './tool-policy.ts'

export interface AgentsContext {
  readonly config: InstallConfig
  readonly world: SelectionWorld
  readonly directory: string
  readonly owner: string
  readonly partition: string
  readonly memory: ToolsContext['memory']
}

export interface ConfiguredAgents {
  /** The model for this use (default: that of the steps of agents); `undefined` if none is configured. */
  model(role?: ModelRole): Promise<ConfiguredModel | undefined>
  /** What an agent can be given here; for the owner and the project it was opened for, where nothing else is said. */
  tools(step?: ToolsFor): Promise<readonly Tool[]>
  /** Configured tools that are unavailable, and why. */
  problems(): Promise<ConfiguredTools['problems']>
  /** Throws if a cost limit is set but the model has no price. */
  checkPriced(): Promise<void>
  /** Ends the servers that were started. */
  close(): Promise<void>
}

export function configuredAgents({ config, world, ...place }: AgentsContext): ConfiguredAgents {
  const models = new Map<ModelRole, Promise<ConfiguredModel | undefined>>()
  let tools: Promise<ConfiguredTools> | undefined
  const modelOnce = async (role: ModelRole = 'worker') => {
    const model = models.get(role) ?? configuredModel(config, world, role)
    models.set(role, model)
    return model
  }
  const toolsOnce = async (): Promise<ConfiguredTools> => (tools ??= openTools())
  const openTools = async (): Promise<ConfiguredTools> => {
    const policy = toolPolicy(config, world)
    const secrets = [...policy.keyVariables, ...modelKeyVariables(config)]
    return configuredTools({ ...place, policy, world, secrets })
  }
  return {
    model: modelOnce,
    tools: async (step = place) => (await toolsOnce()).toolsFor(step),
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
