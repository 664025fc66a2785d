/** The schedules that start nothing, with the command that helps each. No row where there are no schedules. */
import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'
import { oneLine } from '@agentm/memory/shown'
import { standstillOf } from './pure/standstill-of.ts'

export async function scheduleRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const plans = await reader.plans()
  if (plans === undefined) return []
  const found = await plans.harness.schedules()
  const active = found.filter(({ schedule }) => schedule.status === 'active')
  const still = active.flatMap((standing): readonly HealthRow[] => {
    const stands = standstillOf(standing, plans.policy.kinds)
    if (stands === undefined) return []
    return [
      {
        name: 'schedules',
        status: 'warn',
        text: `${oneLine(standing.name)}: ${stands.why}`,
        help: [{ to: 'To change that', command: stands.help }],
      },
    ]
  })
  if (still.length > 0 || found.length === 0) return still
  return [
    { name: 'schedules', status: 'ok', text: `${active.length} of ${found.length} active; a worker runs their plans` },
  ]
}
