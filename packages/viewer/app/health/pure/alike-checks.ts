/** Many steps may wait for the same: what one command helps is shown once, with the others below it. */
import type { CheckRow } from '../../../src/contract/health.ts'

export interface CheckGroup {
  readonly first: CheckRow
  readonly others: readonly CheckRow[]
}

/** In the order of the first of each group. Checks that nothing helps stay alone. */
export function alikeChecks(checks: readonly CheckRow[]): readonly CheckGroup[] {
  const groups = new Map<string, CheckRow[]>()
  for (const [i, check] of checks.entries()) {
    const [help] = check.help
    const key = help === undefined ? `${i}` : `${check.name} ${check.status} ${help.command}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [check])
    else group.push(check)
  }
  return [...groups.values()].flatMap(([first, ...others]) => (first === undefined ? [] : [{ first, others }]))
}
