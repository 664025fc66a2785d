import { servingOf } from '@agentm/harness'
import type { Session } from '@agentm/nodes'
import { isGoneHere } from '../is-gone-here.ts'

/** A process that holds claims, or did until it died. */
export interface WorkerStanding {
  readonly session: string
  readonly host: string
  readonly pid: string
  /** The program, as the log records it. */
  readonly actor: string
  readonly startedAt: number
  /** It is alive until then, and longer if it renews its lease. If it is gone, its steps are taken over then, or earlier. */
  readonly leaseUntil: number
  readonly isAlive: boolean
  /** Whether its process has ended although its lease has not. Known only of processes of this machine. */
  readonly isGone: boolean
  /** The kinds of steps that it runs; empty for a program that runs none. */
  readonly kinds: readonly string[]
  /** Whether it runs steps of this owner. */
  readonly isOurs: boolean
}

/** Those that are alive first, and of those the newest. Looks for the processes that are said to run here. `now` is the time by the clock of the log. */
export function workersOf(
  sessions: readonly Session[],
  { owner, now }: { readonly owner: string; readonly now: number },
): readonly WorkerStanding[] {
  return sessions
    .map((session) => {
      const { id, actor, facts, startedAt, leaseUntil } = session
      const { owners = [], kinds = [] } = servingOf(session) ?? {}
      const place = { host: facts['host'] ?? '', pid: facts['pid'] ?? '' }
      const isGone = leaseUntil > now && isGoneHere(session)
      const standing = { startedAt, leaseUntil, isAlive: leaseUntil > now && !isGone, isGone }
      return { session: id, ...place, actor, ...standing, kinds, isOurs: owners.includes(owner) }
    })
    .toSorted((a, b) => Number(b.isAlive) - Number(a.isAlive) || b.startedAt - a.startedAt)
}
