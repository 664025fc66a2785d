/**
 * How much work a caller may do. Processor time counts, because a machine that is busy with other programs must not end the work early. The
 * clock counts, too, because a slow disk takes long and little processor time.
 */
import type { MemoryRuntime } from '../memory-runtime.ts'

export interface WorkLimits {
  /** Processor time, in milliseconds. */
  readonly budgetMs: number
  /** By the clock (default: four times the budget). */
  readonly limitMs?: number | undefined
}

/** Answers `true` from when one of both is used up. */
export function workBudget(
  { now, processorMs }: Pick<MemoryRuntime, 'now' | 'processorMs'>,
  { budgetMs, limitMs = 4 * budgetMs }: WorkLimits,
): () => boolean {
  const [startedAt, usedBefore] = [now(), processorMs()]
  return () => processorMs() - usedBefore >= budgetMs || now() - startedAt >= limitMs
}
