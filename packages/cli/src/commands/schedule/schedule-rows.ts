/** For `doctor`: the schedules that start nothing, with the command that helps each. No row where there are no schedules. */
import type { WorkspaceReader } from '@agentm/workspace/reader'
import { oneLine } from '../plan/pure/state-text.ts'
import { standstillOf } from './schedule-text.ts'

export interface ScheduleRow {
  readonly name: 'schedules'
  readonly status: 'ok' | 'warn'
  readonly text: string
}

export async function scheduleRows(reader: WorkspaceReader): Promise<readonly ScheduleRow[]> {
  const plans = await reader.plans()
  if (plans === undefined) return []
  const found = await plans.harness.schedules()
  const active = found.filter(({ schedule }) => schedule.status === 'active')
  const still = active.flatMap((standing): readonly ScheduleRow[] => {
    const stands = standstillOf(standing, plans.policy.kinds)
    if (stands === undefined) return []
    return [
      {
        name: 'schedules',
        status: 'warn',
        text: `${oneLine(standing.name)}: ${stands.why}. To change that: ${stands.help}`,
      },
    ]
  })
  if (still.length > 0 || found.length === 0) return still
  return [
    { name: 'schedules', status: 'ok', text: `${active.length} of ${found.length} active; a worker runs their plans` },
  ]
}
