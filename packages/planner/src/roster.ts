/** The agents of one owner. */
import { AbsentNodeError, composeId, type NodeLog, scanAll } from '@agentm/nodes'
import type { HarnessContext } from '@agentm/harness'
import {
  type AgentHead,
  agentName,
  type AgentStatus,
  asAgent,
  type ByHand,
  untilUncontested,
  versionsOf,
} from '@agentm/harness/planning'
import { retireAgentDraft } from './pure/agent-drafts.ts'

/** The agents of one owner: list them, read one, retire or merge them. */
export interface Roster {
  /** Oldest first; every status where none is named. */
  list(status?: AgentStatus): Promise<readonly AgentHead[]>
  agent(id: string): Promise<AgentHead>
  /** It gets no more steps, and steps that name it wait for another. An agent that is merged or retired stays so. */
  retire(id: string, by?: ByHand): Promise<AgentStatus>
}

/**
 * Opens the roster: the agents of one owner.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts } from '@agentm/harness'
 * import { openRoster } from '@agentm/planner'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * console.log((await openRoster({ store, owner: 'ada', actor: 'docs' }).list()).length) // 0
 * ```
 */
export function openRoster(context: HarnessContext): Roster {
  const { store, owner, actor } = context
  return {
    list: (status) => listAgents(store.log, owner, status),
    agent: (id) => readAgent(context, id),
    retire: (id, by = {}) =>
      untilUncontested(async () => {
        const found = await readAgent(context, id)
        if (found.payload.status !== 'active') return found.payload.status
        await store.log.append([retireAgentDraft(found.id, by)], { owner, actor, expects: versionsOf([found]) })
        return 'retired'
      }),
  }
}

export async function listAgents(
  log: Pick<NodeLog, 'scan'>,
  owner: string,
  status?: AgentStatus,
): Promise<readonly AgentHead[]> {
  const heads = await scanAll(log, { owner, concepts: [agentName], ...(status !== undefined && { status }) })
  return heads.filter(({ redacted }) => !redacted).map((head) => asAgent(head))
}

async function readAgent({ store, owner }: HarnessContext, id: string): Promise<AgentHead> {
  const head = await store.log.latest(composeId(agentName, id), { owner })
  if (head === undefined) throw new AbsentNodeError(composeId(agentName, id))
  return asAgent(head)
}
