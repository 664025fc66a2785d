/** Steps that a coding agent of this machine carries out, with the permissions that the config gives to agents. */
import type { ClientPolicy, CodingAgentName } from '@agentm/coding-agents'
import type { StepKind } from '@agentm/harness'
import { priceOf } from '@agentm/settings'
import path from 'node:path'
import { agentmHome, type InstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { type ToolPolicy, toolPolicy } from './tool-policy.ts'

export interface CodingAgentPlace {
  readonly config: InstallConfig
  readonly world: SelectionWorld
}

export async function codingAgentHere(name: CodingAgentName, { config, world }: CodingAgentPlace): Promise<StepKind> {
  const { codingAgentKind } = await import('@agentm/coding-agents')
  const { command, args = [], variables } = config.values[`codingAgents.${name}`] ?? {}
  return codingAgentKind(name, {
    policy: clientPolicy(toolPolicy(config, world)),
    environment: world.env,
    priceOf: (model) => priceOf(config.values['models.prices'], model),
    stateDirectory: path.join(agentmHome(world), 'coding-agents'),
    ...(command !== undefined && { command: [command, ...args] }),
    ...(variables !== undefined && { variables }),
  })
}

/** Nobody can be asked about single calls of another program, so what a person has to approve is not allowed. */
function clientPolicy({ files, shell, http, approve }: ToolPolicy): ClientPolicy {
  const asksForWrites = approve.includes('files_write') || approve.includes('files_edit')
  return {
    files: files === 'write' && asksForWrites ? 'read' : files,
    shell: shellOf(shell),
    hosts: http?.hosts ?? [],
  }
}

function shellOf(shell: ToolPolicy['shell']): ClientPolicy['shell'] {
  if (shell === undefined || shell.needsApproval === true) return []
  return shell.interpret === true || shell.allow.includes('*') ? 'any' : shell.allow
}
