import type { WorkspaceReader } from '../workspace-reader.ts'
import type { HealthRow } from './health-row.ts'

/** Reads every page of the log. A log that cannot be opened at all is reported by the check of the plans. */
export async function damagedRows(reader: WorkspaceReader): Promise<readonly HealthRow[]> {
  const [first, ...more] = await reader.logDamage().catch(() => [])
  if (first === undefined) return []
  const others = more.length === 0 ? '' : ` (and ${more.length} more problems: agentm log check)`
  return [
    {
      name: 'log',
      status: 'fail',
      text: `${await reader.logPlace()} is damaged: ${first}${others}`,
      help: [
        { to: 'Stop every program that uses it, then run', command: 'agentm log rebuild' },
        { to: 'If the history itself is damaged, restore a backup', command: 'agentm log restore FILE' },
      ],
    },
  ]
}
