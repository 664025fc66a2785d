/** For `doctor`: trees of ended plans that nobody applied or discarded, and the sandbox. */
import { isPlanOver } from '@agentm/harness'
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { shortId } from './pure/short-id.ts'

export interface TreeRow {
  readonly name: 'trees' | 'sandbox'
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

export async function treeRows(reader: WorkspaceReader): Promise<readonly TreeRow[]> {
  const { leftOverTrees } = await import('@agentm/harness/trees')
  const log = await reader.log()
  const rows: TreeRow[] = []
  for (const { planId, owner, folder, isHalfApplied } of await leftOverTrees(reader.treesRoot())) {
    const plan = await log?.latest(planId, { owner })
    const short = shortId(planId)
    const discard = `To delete it: agentm discard ${short}`
    const warn = (text: string) => rows.push({ name: 'trees', status: 'warn', text })
    if (isHalfApplied)
      warn(
        `agentm apply ${short} was interrupted in ${folder}. To complete it: agentm apply ${short}. To take it back: agentm discard ${short}`,
      )
    else if (plan === undefined)
      warn(`the work of ${short} for ${folder} is still here, but the plan is no longer in the log. ${discard}`)
    else if (plan.redacted || isPlanOver(plan.status))
      warn(
        `${short} is ${plan.status ?? 'over'}, and what it changed was not brought into ${folder}. To see it: agentm diff ${short}. ${discard}`,
      )
  }
  return rows
}

export async function sandboxRows(reader: WorkspaceReader): Promise<readonly TreeRow[]> {
  const { wanted, isInForce, text } = await reader.probeSandbox()
  if (wanted === 'off') return []
  return [{ name: 'sandbox', status: isInForce ? 'ok' : wanted === 'on' ? 'warn' : 'fail', text }]
}
