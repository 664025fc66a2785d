/** The steps that cannot continue by themselves, with the command that helps each. */
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'
import { openPlanStates, type PlanState, type WaitingRow } from './plan-state.ts'
import { answersOf } from './pure/answers-of.ts'
import { oneLine } from '@agentm/memory/shown'
import { shortId } from './pure/short-id.ts'
import { waitText } from './pure/wait-text.ts'

const mostShown = 20

export async function stuckRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  try {
    const plans = await reader.plans()
    return plans === undefined ? [] : rowsOf(await openPlanStates(plans))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [{ name: 'log', status: 'fail', text: oneLine(why) }]
  }
}

function rowsOf(plans: readonly PlanState[]): readonly HealthRow[] {
  const found = plans.flatMap((plan) => stuckIn(plan))
  if (found.length === 0)
    return [{ name: 'plans', status: 'ok', text: `${plans.length} unfinished, none of them stuck` }]
  const shown = found.slice(0, mostShown)
  const more = found.length - shown.length
  if (more === 0) return shown
  const help = [{ to: 'To list them', command: 'agentm status' }]
  return [...shown, { name: 'plans', status: 'warn', text: `${more} more stuck steps`, help }]
}

function stuckIn({ planId, goal, paused, help: end, waiting, failed }: PlanState): readonly HealthRow[] {
  const plan = shortId(planId)
  return [
    ...(end === undefined || paused
      ? []
      : [stuck(`${plan} ${oneLine(goal)} has no unfinished steps, but no worker ends it`, 'To end it', end)]),
    ...failed.map(({ title, deadLetter, errorMessage, help }) =>
      stuck(
        `${plan} ${oneLine(title)} ${deadLetter ? 'was dead-lettered' : 'failed'}: ${oneLine(errorMessage)}`,
        'To retry it',
        help,
      ),
    ),
    ...waiting.flatMap((row) =>
      row.help === undefined
        ? []
        : [
            stuck(
              `${plan} ${oneLine(row.title)} ${whatItWants(row)}${answersOf(row.ask?.allowed)}`,
              'To continue it',
              row.help,
            ),
          ],
    ),
  ]
}

/** A function may ask while it runs. */
function whatItWants({ status, waitsFor, ask }: WaitingRow): string {
  const waits = `waits for ${oneLine(waitText(waitsFor))}`
  if (ask === undefined || waitsFor.for === 'answer') return waits
  return `${status === 'running' ? 'runs' : waits}, and asks: ${oneLine(ask.text)}`
}

function stuck(text: string, to: string, command: string): HealthRow {
  return { name: 'plans', status: 'warn', text, help: [{ to, command }] }
}
