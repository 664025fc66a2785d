/** When the steps of a plan may start, and how many at once: what a user writes, and the fields that a step keeps of it. */
import type { Step } from '../step.ts'
import { type Span, spanMs } from '../functions/pure/span.ts'

/** How a step shares what it uses with other steps, when it may start, and what goes first. */
export interface FlowOptions {
  /** At most `atOnce` steps with this key run at once, over all workers of the store. A key belongs to the owner of the plan. */
  readonly limit?: { readonly key: string; readonly atOnce: number }
  /** At most `starts` steps with this key start within any span of `per`, over all workers. A step that waits for it holds no slot. */
  readonly rate?: { readonly key: string; readonly starts: number; readonly per: Span }
  /** A whole number; higher starts first within the project (default: 0). One point counts as much as one minute of waiting. */
  readonly priority?: number
  /** It does not start before this time. */
  readonly startAt?: Date | number
  /** It starts so much later than it otherwise could: after its dependencies are done. */
  readonly delay?: Span
  /** If it was not started so long after it could start, it fails. Its retries are not limited by it. */
  readonly expiresIn?: Span
}

/** The fields of a step that keep its flow options. */
export type FlowFields = Partial<Pick<Step, 'limit' | 'rate' | 'priority' | 'startAt' | 'delayMs' | 'expiresInMs'>>

/** What is wrong with the options of a step, in words that follow its name. */
export function flowProblems(options: FlowOptions): readonly string[] {
  const { limit, rate, priority, startAt, delay, expiresIn } = options
  return [
    ...(limit === undefined
      ? []
      : [...keyProblems('limit', limit.key), ...countProblems('limit.atOnce', limit.atOnce)]),
    ...(rate === undefined ? [] : [...keyProblems('rate', rate.key), ...countProblems('rate.starts', rate.starts)]),
    ...spanProblems('rate.per', rate?.per, 1),
    ...spanProblems('delay', delay, 0),
    ...spanProblems('expiresIn', expiresIn, 1),
    ...(priority === undefined || (Number.isInteger(priority) && Math.abs(priority) <= highestPriority)
      ? []
      : [`priority must be a whole number from -${highestPriority} to ${highestPriority}, not ${String(priority)}`]),
    ...(startAt === undefined || Number.isFinite(Number(startAt)) ? [] : [`startAt is no time: ${String(startAt)}`]),
  ]
}

/** The options without their sugar, as a step keeps them. Call it for options without problems. */
export function flowFields({ limit, rate, priority, startAt, delay, expiresIn }: FlowOptions): FlowFields {
  return {
    ...(limit && { limit: { key: limit.key, atOnce: limit.atOnce } }),
    ...(rate && { rate: { key: rate.key, starts: rate.starts, perMs: spanMs(rate.per) } }),
    ...(priority !== undefined && { priority }),
    ...(startAt !== undefined && { startAt: Number(startAt) }),
    ...(delay !== undefined && { delayMs: spanMs(delay) }),
    ...(expiresIn !== undefined && { expiresInMs: spanMs(expiresIn) }),
  }
}

/** The options that give these fields, for another step like this one. The times of its start are left out: they are over. */
export function flowAgain({ limit, rate, priority }: FlowFields): FlowOptions {
  return {
    ...(limit && { limit }),
    ...(rate && { rate: { key: rate.key, starts: rate.starts, per: rate.perMs } }),
    ...(priority !== undefined && { priority }),
  }
}

/** A point is a minute, so more would be two years. */
export const highestPriority = 1_000_000
const longestKey = 200

export function keyProblems(field: string, key: unknown): readonly string[] {
  if (
    typeof key === 'string' &&
    key.trim() !== '' &&
    key.length <= longestKey &&
    key.isWellFormed() &&
    !key.includes('\0')
  )
    return []
  return [`${field}.key must be a text of 1 to ${longestKey} characters, not ${JSON.stringify(key)}`]
}

function countProblems(field: string, count: unknown): readonly string[] {
  return Number.isInteger(count) && Number(count) >= 1 && Number(count) <= 1e9
    ? []
    : [`${field} must be a whole number of at least 1, not ${JSON.stringify(count)}`]
}

export function spanProblems(field: string, span: Span | undefined, least: number): readonly string[] {
  if (span === undefined) return []
  try {
    return spanMs(span) >= least ? [] : [`${field} must be at least ${least} millisecond`]
  } catch (error) {
    return [`${field}: ${error instanceof Error ? error.message : String(error)}`]
  }
}
