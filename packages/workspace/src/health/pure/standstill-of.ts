import type { ScheduleStanding } from '@agentm/harness'
import { allowKinds, startWorker } from './what-helps.ts'

/** Why an active schedule starts nothing, or what it starts does not run, and the command that helps. */
export function standstillOf(
  { workers, lacks, schedule }: Pick<ScheduleStanding, 'workers' | 'lacks' | 'schedule'>,
  allowed: readonly string[],
): { readonly why: string; readonly help: string } | undefined {
  if (schedule.status !== 'active') return undefined
  if (workers === 0) return { why: 'no worker is running, so nothing is started', help: startWorker }
  if (lacks.length === 0) return undefined
  const refused = lacks.filter((kind) => !allowed.includes(kind))
  const help = refused.length === 0 ? startWorker : `${allowKinds([...allowed, ...refused])} && ${startWorker}`
  return { why: `no worker runs steps of kind ${lacks.join(', ')}`, help }
}
