/** The writes of an agent, as data. */
import type { Draft } from '@agentm/nodes'
import type { Agent } from '@agentm/harness'
import { agentName, type ByHand, signed } from '@agentm/harness/planning'
import type { Capability } from './capability.ts'

export type NewAgent = Omit<Agent, 'ownerUserId' | 'status' | 'mergedInto' | 'provenanceMutation' | 'actor' | 'reason'>

export function createAgentDraft(id: string, agent: NewAgent): Draft {
  return { concept: agentName, id, payload: { ...agent }, mutation: 'createHarnessAgent' }
}

/** Records a composed agent that equals an existing one, so that its name leads to that agent. */
export function mergedAgentDraft(id: string, agent: Omit<NewAgent, 'embedding'>, target: string): Draft {
  const payload = { ...agent, status: 'merged', mergedInto: target }
  return { concept: agentName, id, payload, mutation: 'mergeHarnessAgent' }
}

export function upgradeAgentDraft(
  id: string,
  { domains, tools }: Capability,
  embedding: Agent['embedding'] | undefined,
): Draft {
  const draft = update(id, 'upgradeHarnessAgent', { domains, tools, ...(embedding && { embedding }) })
  // The old vector describes the abilities before the change.
  return embedding === undefined ? { ...draft, unset: ['embedding'] } : draft
}

export function retireAgentDraft(id: string, by: ByHand): Draft {
  return signed(update(id, 'retireHarnessAgent', { status: 'retired' }), by)
}

function update(id: string, mutation: string, payload: Draft['payload']): Draft {
  return { concept: agentName, id, payload, mutation, update: true }
}
