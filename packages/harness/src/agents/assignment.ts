/** The agent that does a step. Its prompt and tools are read when the step starts, so changes to the agent take effect. */
import { composeId, isNodesError, type NodeLog } from '@agentm/nodes'
import { AgentUnavailableError } from '../harness-errors.ts'
import { agentName } from '../pure/concept-names.ts'
import type { Step } from '../step.ts'
import { type AgentHead, asAgent } from './agent.ts'
import { promptFor } from './pure/agent-messages.ts'

export interface Assignment {
  readonly agentId: string
  readonly name: string
  readonly role: string
  /** The prompt of the agent, with the goal of this step filled in. */
  readonly prompt: string
  /** The names of all tools that the step may use. */
  readonly tools: readonly string[]
  /** The names of tools that its role asks for and that it does not have. */
  readonly dropped: readonly string[]
}

/**
 * `undefined` if the step is not assigned to an agent. Throws if its agent no longer exists, because a step that was meant for a
 * few tools must not run with all of them.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { assignmentOf, harnessConcepts, openHarness } from '@agentm/harness'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * const { steps } = await harness.createPlan({ goal: 'release', steps: [{ key: 'a', title: 'Test', kind: 'command' }] })
 * const { payload } = await harness.step(steps['a'] ?? '')
 * console.log(await assignmentOf(store.log, { owner: 'ada', step: payload })) // undefined
 * ```
 */
export async function assignmentOf(
  log: Pick<NodeLog, 'latest'>,
  { owner, step }: { readonly owner: string; readonly step: Step },
): Promise<Assignment | undefined> {
  if (step.assignedAgent === undefined) return undefined
  const { id, payload } = await agentOf(log, { owner, name: step.assignedAgent })
  const { name, role, tools, dropped = [] } = payload
  return {
    agentId: id,
    name,
    role,
    tools,
    dropped: dropped.map(({ tool }) => tool),
    prompt: promptFor(payload, stepGoal(step)),
  }
}

/** The goal of the step, as the planner wrote it. */
export function stepGoal({ title, input }: Step): string {
  const goal = input?.['goal']
  return typeof goal === 'string' && goal.trim() !== '' ? goal : title
}

/** The agent with this id, or the agent that it was merged into. */
async function agentOf(
  log: Pick<NodeLog, 'latest'>,
  { owner, name }: { readonly owner: string; readonly name: string },
): Promise<AgentHead> {
  const seen = new Set<string>()
  for (let id = idOf(name); !seen.has(id);) {
    seen.add(id)
    const head = await log.latest(id, { owner })
    if (head === undefined || head.redacted) throw new AgentUnavailableError(id, 'there is no such agent')
    const found = asAgent(head)
    const { status, mergedInto } = found.payload
    if (status === 'active') return found
    if (mergedInto === undefined) throw new AgentUnavailableError(id, `it is ${status}`)
    id = mergedInto
  }
  throw new AgentUnavailableError(name, 'it was merged into itself')
}

function idOf(name: string): string {
  try {
    return composeId(agentName, name)
  } catch (error) {
    if (!isNodesError(error, 'INVALID_ID')) throw error
    throw new AgentUnavailableError(name, 'there is no such agent', { cause: error })
  }
}
