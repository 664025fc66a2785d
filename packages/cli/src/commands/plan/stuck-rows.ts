/** For `doctor`: the steps that cannot continue by themselves, with the command that helps each. */
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { openPlanStates, type PlanState } from './plan-state.ts'
import { answersOf, oneLine } from './pure/state-text.ts'
import { shortId } from './pure/short-id.ts'
import { waitText } from './pure/wait-text.ts'

export interface StuckRow {
  /** `log` if the plans cannot be read at all. */
  readonly name: 'plans' | 'log'
  readonly status: 'ok' | 'warn' | 'fail'
  readonly text: string
}

const mostShown = 20

export async function stuckRows(reader: WorkspaceReader): Promise<readonly StuckRow[]> {
  try {
    const plans = await reader.plans()
    return plans === undefined ? [] : rowsOf(await openPlanStates(plans))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ name: 'log', status: 'fail', text: oneLine(why) }]
  }
}

function rowsOf(plans: readonly PlanState[]): readonly StuckRow[] {
  const stuck = plans.flatMap((plan) => [...stuckIn(plan)])
  if (stuck.length === 0)
    return [{ name: 'plans', status: 'ok', text: `${plans.length} unfinished, none of them stuck` }]
  const shown = stuck.slice(0, mostShown).map((text) => ({ name: 'plans' as const, status: 'warn' as const, text }))
  const more = stuck.length - shown.length
  return more === 0
    ? shown
    : [...shown, { name: 'plans', status: 'warn', text: `${more} more stuck steps. To list them: agentm status` }]
}

function stuckIn({ planId, goal, paused, help: end, waiting, failed }: PlanState): readonly string[] {
  const plan = shortId(planId)
  return [
    ...(end === undefined || paused
      ? []
      : [`${plan} ${oneLine(goal)} has no unfinished steps, but no worker ends it. To end it: ${end}`]),
    ...failed.map(
      ({ title, deadLetter, errorMessage, help }) =>
        `${plan} ${oneLine(title)} ${deadLetter ? 'was dead-lettered' : 'failed'}: ${oneLine(errorMessage)}. To retry it: ${help}`,
    ),
    ...waiting.flatMap(({ title, waitsFor, ask, help }) =>
      help === undefined
        ? []
        : [
            `${plan} ${oneLine(title)} waits for ${oneLine(waitText(waitsFor))}${answersOf(ask?.allowed)}. To continue it: ${help}`,
          ],
    ),
  ]
}
