/**
 * When a ready step may start, and until when. Both follow from its fields and from the time at which it became ready, so a store can keep
 * them beside the step. After the first start, neither counts.
 */
import type { Step } from '../../step.ts'

/** The fields of a step that say when it may start. */
export type StartFields = Partial<Pick<Step, 'startAt' | 'delayMs' | 'due' | 'expiresInMs' | 'startedAt'>>

/** The earliest start of a step that became ready at `since`; `undefined` if it may start at once. */
export function opensAt({ startAt, delayMs, due, startedAt }: StartFields, since: number): number | undefined {
  if (due === true || startedAt !== undefined || (startAt === undefined && delayMs === undefined)) return undefined
  const opens = Math.max(startAt ?? 0, since + (delayMs ?? 0))
  return opens > since ? opens : undefined
}

/** The time after which the step is not started any more; it is counted from its earliest start. */
export function expiresAt(step: StartFields, since: number): number | undefined {
  const { expiresInMs, startedAt } = step
  return expiresInMs === undefined || startedAt !== undefined
    ? undefined
    : (opensAt(step, since) ?? since) + expiresInMs
}

/** When a worker has to look at a ready step: at its earliest start, or when its time to start is over. */
export function readyTimer(step: StartFields, since: number): number | undefined {
  return opensAt(step, since) ?? expiresAt(step, since)
}
