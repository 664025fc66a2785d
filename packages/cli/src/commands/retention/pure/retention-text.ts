/** What leaves a log and what stays, in words. */
import type { Group, KeepReason, Removal, RetentionDecision } from '@agentm/harness/retention'

/** How many plans and sessions a decision is about, and why the others stay. */
export interface RetentionCounts {
  readonly plans: number
  readonly sessions: number
  readonly stayed: Readonly<Partial<Record<KeepReason, number>>>
}

export function countsOf({ leave, stay }: RetentionDecision): RetentionCounts {
  const stayed: Partial<Record<KeepReason, number>> = {}
  for (const { group, why } of stay) stayed[why] = (stayed[why] ?? 0) + group.members.length
  return { plans: membersOf(leave, 'plan'), sessions: membersOf(leave, 'session'), stayed }
}

function membersOf(groups: readonly Group[], kind: 'plan' | 'session'): number {
  return groups.filter(({ root }) => root.kind === kind).reduce((sum, { members }) => sum + members.length, 0)
}

/** `3 plans and 1 agent session`. */
export function subjectText({ plans, sessions }: Pick<RetentionCounts, 'plans' | 'sessions'>): string {
  const parts = [
    ...(plans > 0 ? [many(plans, 'plan')] : []),
    ...(sessions > 0 ? [many(sessions, 'agent session')] : []),
  ]
  return parts.length === 0 ? 'nothing' : parts.join(' and ')
}

const reasons: Readonly<Record<KeepReason, string>> = {
  active: 'not over yet',
  recent: 'younger',
  unselected: 'not selected by --status, --project or --only',
  cited: 'a belief, a waiting step or another kept node refers to them',
  unread: 'nothing was learned from them yet; see agentm consolidate, or use --unread',
  newest: 'the newest entry of the log is theirs, and that always stays',
  followed: 'a plan that stays follows them',
}

/** One line for each reason, in a fixed order. Empty if nothing stays. */
export function stayedLines({ stayed }: Pick<RetentionCounts, 'stayed'>): readonly string[] {
  const known = Object.keys(reasons) as readonly KeepReason[]
  const lines = known.flatMap((why) => {
    const count = stayed[why] ?? 0
    return count === 0 ? [] : [`  ${String(count).padStart(7)}  ${reasons[why]}`]
  })
  return lines.length === 0 ? [] : ['Plans and agent sessions that stay:', ...lines]
}

/** What was removed, how long other writers had to wait at most, and what the file gained. */
export function removalLines(
  removal: Removal,
  { tookMs, before, after }: { readonly tookMs: number; readonly before: number; readonly after: number },
): readonly string[] {
  const { nodes, versions, transactions, longestMs } = removal
  return [
    `  ${many(nodes, 'node')} with ${many(versions, 'version')}, in ${many(transactions, 'transaction')} and ${seconds(tookMs)}; the longest took ${Math.ceil(longestMs)} ms`,
    `  the log had ${megabytes(before)} and has ${megabytes(after)}`,
    ...keptLines(removal),
  ]
}

function keptLines({ stayed }: Removal): readonly string[] {
  const count = Object.values(stayed).reduce((sum, each) => sum + each, 0)
  return count === 0
    ? []
    : [`  ${many(count, 'node')} stayed, because they were written or needed in between; run it again later`]
}

export function many(count: number, thing: string): string {
  return `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`
}
