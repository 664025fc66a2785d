/** The statuses of an agent: active, then merged or retired. Its id and name never change. */
export const agentStatuses = ['active', 'merged', 'retired'] as const

export type AgentStatus = (typeof agentStatuses)[number]

interface GuardedAgent {
  readonly status: AgentStatus
  readonly role: string
  readonly mergedInto?: string | undefined
}

/** The reason why a write of an agent is refused, or `undefined`. */
export function agentRefusal(prior: GuardedAgent | undefined, next: GuardedAgent): string | undefined {
  if ((next.status === 'merged') !== (next.mergedInto !== undefined))
    return 'a merged agent, and no other, says into whom'
  if (prior === undefined) return next.status === 'retired' ? 'a new agent is not retired' : undefined
  if (prior.role !== next.role) return 'an agent keeps its role'
  return prior.status === 'active' ? undefined : `the agent is ${prior.status}, which is final`
}
