/** An agent that steps can be assigned to: a prompt, the tools it may use, and what it is good at. Each owner has one roster of agents. */
import { defineConcept, type Head } from '@agentm/nodes'
import { z } from 'zod'
import { agentName } from '../pure/concept-names.ts'
import { agentRefusal, agentStatuses } from './pure/agent-transitions.ts'

export const agentSchema = z.object({
  ownerUserId: z.string().min(1),
  name: z.string().min(1),
  /** The name of the built-in role that this agent was made from. */
  role: z.string().min(1),
  description: z.string().default(''),
  domains: z.array(z.string()).default([]),
  /** Names of the tools it may use. It is offered no other tools. */
  tools: z.array(z.string()).default([]),
  /** Its system prompt. `{goal}` is replaced by the goal of the step. */
  prompt: z.string().min(1),
  status: z.enum(agentStatuses).default('active'),
  /** The agent that this one was merged into, because both do the same work. Steps of this agent go to that one. */
  mergedInto: z.string().optional(),
  /** A vector of the agent's abilities, and the name of the embedder that made it. Vectors of different embedders are never compared. */
  embedding: z.object({ embedder: z.string(), values: z.array(z.number()) }).optional(),
  /** Tools that its role asks for but that the agent did not get, each with the reason. */
  dropped: z.array(z.object({ tool: z.string(), reason: z.string() })).optional(),
  provenanceMutation: z.string().optional(),
  /** Who made the last change by hand, and why. */
  actor: z.string().optional(),
  reason: z.string().optional(),
})

/** An agent that steps can be assigned to: a prompt, its tools, and what it is good at. */
export type Agent = z.infer<typeof agentSchema>
/** The newest version of an agent. */
export type AgentHead = Head<Agent>

export const agent = defineConcept({
  name: agentName,
  schema: agentSchema,
  guard: ({ prior, next }) => agentRefusal(prior, next),
  relations: [{ field: 'mergedInto', to: agentName, kind: 'mergedInto', mustExist: true }],
})

/** The cast is safe because the schema of the concept checked the content when it was written. */
export function asAgent(head: Head): AgentHead {
  return head as AgentHead
}
