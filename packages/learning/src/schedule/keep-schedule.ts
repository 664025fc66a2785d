/**
 * Consolidates at the scheduled time, for every owner, until it is aborted. A missed run is made up for once. Any number of
 * processes may use the schedule: one of them does each run, and if it dies, another takes over.
 */
import type { StoreRuntime } from '@agentm/nodes'
import type { ConsolidationReport, ConsolidationRequest } from '../consolidation/consolidation-report.ts'
import { type DailySchedule, lastDue, nextDue, scheduleText } from './daily-schedule.ts'

export interface ScheduleOptions {
  readonly schedule: DailySchedule
  readonly owners: readonly string[]
  readonly run: (request: ConsolidationRequest) => Promise<ConsolidationReport>
  readonly runtime: Pick<StoreRuntime, 'now' | 'sleep'>
  readonly signal: AbortSignal
  readonly onReport?: (report: ConsolidationReport) => void
  readonly onError?: (error: unknown, owner: string) => void
}

// Limits the sleep, so that a changed clock or a wake-up of the machine is noticed soon.
const longestSleepMs = 300_000
const retryMs = 60_000

/**
 * Consolidates every day at the scheduled time, for every owner, until it is aborted. If several processes use the schedule, one
 * does each run.
 *
 * @example
 * ```ts
 * import { consolidate, type ConsolidationOptions, keepSchedule } from '@agentm/learning'
 * import { systemRuntime } from '@agentm/agent-loop'
 *
 * declare const options: ConsolidationOptions
 * const ending = new AbortController()
 * await keepSchedule({
 *   schedule: { at: '03:00', timeZone: 'Europe/Paris' },
 *   owners: ['ada'],
 *   run: (request) => consolidate(options, request),
 *   runtime: systemRuntime,
 *   signal: ending.signal,
 * })
 * ```
 */
export async function keepSchedule(options: ScheduleOptions): Promise<void> {
  const { schedule, owners, runtime, signal } = options
  const served = new Map<string, number>()
  while (!signal.aborted) {
    const due = lastDue(schedule, runtime.now())
    const waiting = owners.filter((owner) => served.get(owner) !== due)
    let isRetried = false
    for (const owner of waiting) {
      if (signal.aborted) return
      if (await isServed(options, owner, due)) served.set(owner, due)
      else isRetried = true
    }
    const untilNext = nextDue(schedule, runtime.now()) - runtime.now()
    await rest(options, Math.min(untilNext, isRetried ? retryMs : longestSleepMs))
  }
}

async function isServed(
  { run, schedule, onReport, onError }: ScheduleOptions,
  owner: string,
  due: number,
): Promise<boolean> {
  try {
    const report = await run({ owner, scheduledFor: due, schedule: scheduleText(schedule) })
    onReport?.(report)
    return report.outcome !== 'busy'
  } catch (error) {
    onError?.(error, owner)
    return false
  }
}

async function rest({ runtime, signal }: ScheduleOptions, ms: number): Promise<void> {
  try {
    await runtime.sleep(Math.max(ms, 1), signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
