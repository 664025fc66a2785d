/** Health in one sentence: the worst that was found, and how often. */
import type { CheckRow } from '../../../src/contract/health.ts'
import { countOf } from '../../pure/words.ts'

export interface Verdict {
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export function healthVerdict(checks: readonly CheckRow[]): Verdict {
  const count = (status: CheckRow['status']) => checks.filter((check) => check.status === status).length
  const [failed, warned] = [count('fail'), count('warn')]
  if (failed > 0)
    return {
      status: 'fail',
      text: `${countOf(failed, 'check')} failed${warned > 0 ? `, and ${countOf(warned, 'warning')}` : ''}`,
    }
  if (warned > 0) return { status: 'warn', text: countOf(warned, 'warning') }
  return { status: 'ok', text: 'Everything that was checked is in order' }
}

/** What needs somebody first; otherwise as it was checked. */
export function inUrgency(checks: readonly CheckRow[]): readonly CheckRow[] {
  const rank = { fail: 0, warn: 1, ok: 2 }
  return checks.toSorted((a, b) => rank[a.status] - rank[b.status])
}
