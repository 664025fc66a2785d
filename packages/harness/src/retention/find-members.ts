/** The plans and agent sessions of an owner, as far as the decision about them needs it. */
import { type Head, type PrunedNode, scanHeads } from '@agentm/nodes'
import { planName } from '../pure/concept-names.ts'
import { isPlanOver } from '../pure/plan-transitions.ts'
import type { GroupMember } from './pure/decide-retention.ts'
import { type RetentionContext, turnName } from './retention-context.ts'

export interface Members {
  readonly members: readonly GroupMember[]
  /** The turns of each agent session. */
  readonly turns: ReadonlyMap<string, readonly PrunedNode[]>
}

export async function findMembers(context: RetentionContext): Promise<Members> {
  const plans = await findPlans(context)
  const { members, turns } = await findSessions(context)
  return { members: [...plans, ...members], turns }
}

async function findPlans({ store: { log }, owner }: RetentionContext): Promise<readonly GroupMember[]> {
  const found: GroupMember[] = []
  for await (const head of scanHeads(log, { owner, concepts: [planName] })) {
    const { id, status, partition: project, createdAt: at, parent, payload } = head
    const { follows, forkedFrom } = payload
    found.push({
      id,
      kind: 'plan',
      project,
      status,
      isOver: isPlanOver(status),
      at,
      parent,
      follows: typeof follows === 'string' ? follows : undefined,
      forkedFrom: typeof forkedFrom === 'string' ? forkedFrom : undefined,
    })
  }
  return found
}

async function findSessions({ store: { log }, owner, concepts }: RetentionContext): Promise<Members> {
  const members = new Map<string, GroupMember>()
  const turns = new Map<string, PrunedNode[]>()
  if (!concepts.some(({ name }) => name === turnName)) return { members: [], turns }
  for await (const head of scanHeads(log, { owner, concepts: [turnName] })) {
    const id = sessionOf(head)
    const at = Math.max(head.createdAt, members.get(id)?.at ?? 0)
    members.set(id, { id, kind: 'session', project: head.partition, status: undefined, isOver: true, at })
    const known = turns.get(id)
    const node = { id: head.id, version: head.version }
    if (known === undefined) turns.set(id, [node])
    else known.push(node)
  }
  return { members: [...members.values()], turns }
}

/** A turn that a person erased has no session any more, and leaves by itself. */
export function sessionOf({ id, payload: { host, session } }: Pick<Head, 'id' | 'payload'>): string {
  return typeof host === 'string' && typeof session === 'string' ? `${host} ${session}` : id
}
