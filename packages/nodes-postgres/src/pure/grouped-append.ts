/** Decisions that touch nothing of each other, as one. */
import type { AppendDecision, KnownHead, PreparedAppend } from '@agentm/nodes'

export interface GroupMember {
  readonly append: PreparedAppend
  readonly decision: AppendDecision
  readonly known: ReadonlyMap<string, KnownHead>
}

export function groupedAppend(members: readonly [GroupMember, ...GroupMember[]]): GroupMember {
  const [first, ...others] = members
  if (others.length === 0) return first
  return {
    append: {
      ...first.append,
      drafts: members.flatMap(({ append }) => append.drafts),
      expects: new Map(members.flatMap(({ append }) => [...append.expects])),
      writes: members.flatMap(({ append }) => append.writes),
      reads: members.flatMap(({ append }) => append.reads),
    },
    decision: {
      versions: members.flatMap(({ decision }) => decision.versions),
      heads: members.flatMap(({ decision }) => decision.heads),
      flips: members.flatMap(({ decision }) => decision.flips),
      holds: members.flatMap(({ decision }) => decision.holds),
    },
    known: new Map(members.flatMap(({ known }) => [...known])),
  }
}
