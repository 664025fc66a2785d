/** What the versions of a schedule tell: starts, starts that were left out, and changes by hand. */
import type { Node } from '@agentm/nodes'
import type { Deed, Schedule, Skipped } from '../schedule.ts'

interface At {
  /** When it happened, in epoch milliseconds. */
  readonly at: number
}

type Started = NonNullable<Deed['started']>

/** One thing that a schedule did. */
export type ScheduleEvent =
  | (At & { readonly what: 'started' } & Started)
  | (At & { readonly what: 'skipped' } & Skipped)
  | (At & { readonly what: 'failed'; readonly slot: string; readonly message: string })
  | (At & {
      readonly what: 'changed'
      readonly change: NonNullable<Deed['change']>
      readonly actor?: string
      readonly reason?: string
    })

/** Oldest first: what was left out lies before what was started. */
export function scheduleEvents({
  payload,
  createdAt: at,
}: Pick<Node<Schedule>, 'payload' | 'createdAt'>): readonly ScheduleEvent[] {
  const { did = {}, actor, reason } = payload
  const by = { ...(actor !== undefined && { actor }), ...(reason !== undefined && { reason }) }
  return [
    ...(did.change === undefined ? [] : [{ what: 'changed' as const, at, change: did.change, ...by }]),
    ...(did.skipped ?? []).map((skipped) => ({ what: 'skipped' as const, at, ...skipped })),
    ...(did.failed === undefined ? [] : [{ what: 'failed' as const, at, ...did.failed }]),
    ...(did.started === undefined ? [] : [{ what: 'started' as const, at, ...did.started }]),
  ]
}
