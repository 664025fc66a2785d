/**
 * What may leave the log. Nodes leave in groups: a plan with the plans that its steps started, or one agent session. A group stays as a whole
 * if anything in it is still needed, so what stays can still be traced.
 */

/** A plan or an agent session, as far as the decision needs it. */
export interface GroupMember {
  /** The id of the plan, or `HOST SESSION` of an agent session. */
  readonly id: string
  readonly kind: 'plan' | 'session'
  readonly project: string
  /** The status of a plan; sessions have none. */
  readonly status: string | undefined
  readonly isOver: boolean
  /** When it was last written, in epoch milliseconds. */
  readonly at: number
  /** The plan that started it. */
  readonly parent?: string | undefined
  /** The earlier plan that it replaces. */
  readonly follows?: string | undefined
  /** The plan that it was forked from. The results of its carried steps came about there. */
  readonly forkedFrom?: string | undefined
}

/** Which groups a person wants to remove. */
export interface RetentionRule {
  /** Only groups that were last written before this time, in epoch milliseconds. */
  readonly before: number
  /** Only plans in these statuses (default: every status in which a plan is over). */
  readonly statuses?: readonly string[]
  readonly project?: string
  /** Only plans, or only sessions (default: both). */
  readonly kind?: GroupMember['kind']
}

/** What still needs a member, by the id of the member. */
export interface RetentionHolds {
  /** Ids that are kept because a belief, a waiting step, a schedule or another kept node refers to them. */
  readonly cited: ReadonlySet<string>
  /** Ids that learning has not read yet. */
  readonly unread: ReadonlySet<string>
  /** The one that has the newest version of the log, which always stays. */
  readonly newest: ReadonlySet<string>
}

/**
 * Why a group stays: it is not over; it is too young; the rule asks for another status, project or kind; something refers to it; learning has
 * not read it; it has the newest version of the log; or a plan that stays follows it or was forked from it.
 */
export type KeepReason = 'active' | 'recent' | 'unselected' | 'cited' | 'unread' | 'newest' | 'followed'

/** A group, by its root, and its members: those that were started before those that started them. */
export interface Group {
  readonly root: GroupMember
  readonly members: readonly GroupMember[]
}

/** The groups that leave, oldest first, and those that stay with the reason. */
export interface RetentionDecision {
  readonly leave: readonly Group[]
  readonly stay: readonly { readonly group: Group; readonly why: KeepReason }[]
}

/** Decides for all members of one owner. */
export function decideRetention(
  members: readonly GroupMember[],
  rule: RetentionRule,
  holds: RetentionHolds,
): RetentionDecision {
  const groups = groupsOf(members)
  const leaving = new Set<Group>()
  const reasons = new Map<Group, KeepReason>()
  for (const group of groups) {
    const why = whyKept(group, rule, holds)
    if (why === undefined) leaving.add(group)
    else reasons.set(group, why)
  }
  for (const group of followedBy(groups, reasons)) {
    leaving.delete(group)
    reasons.set(group, 'followed')
  }
  return {
    leave: [...leaving].toSorted((a, b) => a.root.at - b.root.at),
    stay: [...reasons].map(([group, why]) => ({ group, why })),
  }
}

function whyKept({ root, members }: Group, rule: RetentionRule, holds: RetentionHolds): KeepReason | undefined {
  const { before, statuses, project, kind } = rule
  if (members.some(({ isOver }) => !isOver)) return 'active'
  if (kind !== undefined && root.kind !== kind) return 'unselected'
  if (project !== undefined && root.project !== project) return 'unselected'
  if (statuses !== undefined && (root.status === undefined || !statuses.includes(root.status))) return 'unselected'
  if (members.some(({ at }) => at >= before)) return 'recent'
  if (members.some(({ id }) => holds.cited.has(id))) return 'cited'
  if (members.some(({ id }) => holds.unread.has(id))) return 'unread'
  return members.some(({ id }) => holds.newest.has(id)) ? 'newest' : undefined
}

/** The groups that would leave and that a kept group follows, directly or by way of others. */
function followedBy(groups: readonly Group[], reasons: ReadonlyMap<Group, KeepReason>): readonly Group[] {
  const groupOf = new Map(groups.flatMap((group) => group.members.map(({ id }) => [id, group] as const)))
  const followed = new Set<Group>()
  const queue = [...reasons.keys()]
  for (let group = queue.pop(); group !== undefined; group = queue.pop())
    for (const earlier of group.members.flatMap(({ follows, forkedFrom }) =>
      [follows ?? [], forkedFrom ?? []].flat(),
    )) {
      const target = groupOf.get(earlier)
      if (target === undefined || reasons.has(target) || followed.has(target)) continue
      followed.add(target)
      queue.push(target)
    }
  return [...followed]
}

/** Every member is in one group: that of the highest plan above it which is still there. */
function groupsOf(members: readonly GroupMember[]): readonly Group[] {
  const there = new Set(members.map(({ id }) => id))
  const startedBy = new Map<string, GroupMember[]>()
  const roots: GroupMember[] = []
  for (const member of members)
    if (member.parent === undefined || !there.has(member.parent)) roots.push(member)
    else startedBy.set(member.parent, [...(startedBy.get(member.parent) ?? []), member])
  return roots.map((root) => ({ root, members: below(root, startedBy) }))
}

function below(root: GroupMember, startedBy: ReadonlyMap<string, readonly GroupMember[]>): readonly GroupMember[] {
  const found: GroupMember[] = []
  const queue = [root]
  for (let member = queue.pop(); member !== undefined; member = queue.pop()) {
    found.push(member)
    queue.push(...(startedBy.get(member.id) ?? []))
  }
  return found.toReversed()
}
