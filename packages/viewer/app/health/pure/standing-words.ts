/** Whether a worker is there, in words. */
import type { WorkerRow } from '../../../src/contract/health.ts'
import { spanWords } from '../../pure/words.ts'

export function standingWords(
  { isAlive, isGone, startedAt, leaseUntil }: Pick<WorkerRow, 'isAlive' | 'isGone' | 'startedAt' | 'leaseUntil'>,
  now: number,
): string {
  if (isAlive) return `alive for ${spanWords(now - startedAt)}`
  if (!isGone || leaseUntil <= now) return `gone for ${spanWords(now - leaseUntil)}`
  return `gone; another worker takes over its steps within ${spanWords(leaseUntil - now)}`
}
