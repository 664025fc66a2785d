/** Trees of ended plans that nobody applied or discarded, and the sandbox. */
import { isPlanOver } from '@agentm/harness'
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow, Help } from './health-row.ts'
import { shortId } from './pure/short-id.ts'

export async function treeRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const { leftOverTrees } = await import('@agentm/harness/trees')
  const log = await reader.log()
  const rows: HealthRow[] = []
  for (const { planId, owner, folder, isHalfApplied } of await leftOverTrees(reader.treesRoot())) {
    const plan = await log?.latest(planId, { owner })
    const short = shortId(planId)
    const discard = { to: 'To delete it', command: `agentm discard ${short}` }
    const warn = (text: string, ...help: readonly Help[]) => rows.push({ name: 'trees', status: 'warn', text, help })
    if (isHalfApplied)
      warn(
        `agentm apply ${short} was interrupted in ${folder}`,
        { to: 'To complete it', command: `agentm apply ${short}` },
        { ...discard, to: 'To take it back' },
      )
    else if (plan === undefined)
      warn(`the work of ${short} for ${folder} is still here, but the plan is no longer in the log`, discard)
    else if (plan.redacted || isPlanOver(plan.status))
      warn(
        `${short} is ${plan.status ?? 'over'}, and what it changed was not brought into ${folder}`,
        { to: 'To see it', command: `agentm diff ${short}` },
        discard,
      )
  }
  return rows
}

export async function sandboxRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const { wanted, isInForce, text } = await reader.probeSandbox()
  if (wanted === 'off') return []
  return [{ name: 'sandbox', status: isInForce ? 'ok' : wanted === 'on' ? 'warn' : 'fail', text }]
}
