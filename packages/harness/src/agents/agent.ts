/** Who can be given a step: a prompt, the tools it may use, and what it is good at. One roster per owner. */
import { defineConcept, type Head } from '@agentm/nodes'
import { z } from 'zod'
import { agentName } from '../pure/concept-names.ts'
import { agentRefusal, agentStatuses } from './pure/agent-transitions.ts'

export const agentSchema = z.object({
  ownerUserId: z.string().min(1),
  name: z.string().min(1),
  /** The seed role it was made from. */
  role: z.string().min(1),
  description: z.string().default(''),
  domains: z.array(z.string()).default([]),
  /** Names of the tools it may use; nothing else is offered to it. */
  tools: z.array(z.string()).default([]),
  /** Its system prompt; `{goal}` stands for what the step wants. */
  prompt: z.string().min(1),
  status: z.enum(agentStatuses).default('active'),
  /** The agent that does its work: the one it would have repeated. */
  mergedInto: z.string().optional(),
  /** A vector of the agent's abilities, and the name of its embedder. Vectors of two embedders are never compared. */
  embedding: z.object({ embedder: z.string(), values: z.array(z.number()) }).optional(),
  /** What its role is granted and could not be given. */
  dropped: z.array(z.object({ tool: z.string(), reason: z.string() })).optional(),
  provenanceMutation: z.string().optional(),
  /** Who asked for the last change made by hand, and why. */
  actor: z.string().optional(),
  reason: z.string().optional(),
})

/** Whom a step can be assigned to: a prompt, its tools, and what it is good at. */
export type Agent = z.infer<typeof agentSchema>
/** The newest version of an agent. */
export type AgentHead = Head<Agent>

export const agent = defineConcept({
  name: agentName,
  schema: agentSchema,
  guard: ({ prior, next }) => agentRefusal(prior, next),
  relations: [{ field: 'mergedInto', to: agentName, kind: 'mergedInto', mustExist: true }],
})

/** Heads of a concept hold what its schema let through. */
export function asAgent(head: Head): AgentHead {
  return head as AgentHead
}
