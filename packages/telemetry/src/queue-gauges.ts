/** The state of the queue, read from the log each time that metrics are collected. */
import { type Head, type NodeStore, scanAll } from '@agentm/nodes'
import type { Meter } from './otel-api.ts'
import { metricTable } from './pure/metric-table.ts'
import { planConcept, stepConcept } from './pure/node-facts.ts'
import { lagOf } from './pure/queue-lag.ts'

export interface Queue {
  readonly store: Pick<NodeStore, 'log' | 'work'>
  readonly owners: readonly string[]
}

/** Measures this queue until the returned function is called. */
export function queueGauges(meter: Meter, queue: Queue): () => void {
  const { queueDepth, queueLag, workers } = metricTable
  const [depth, lag, live] = [queueDepth, queueLag, workers].map(({ name, unit, description }) =>
    meter.createObservableGauge(name, { unit, description }),
  )
  if (depth === undefined || lag === undefined || live === undefined) return () => undefined
  const read: Parameters<Meter['addBatchObservableCallback']>[0] = async (observed) => {
    // A store that is busy or closed has no figures now. That is no error of whoever collects them.
    const state = await queueState(queue).catch(() => undefined)
    if (state === undefined) return
    for (const [status, count] of Object.entries(state.depth))
      observed.observe(depth, count, { 'agentm.step.status': status })
    observed.observe(lag, state.lagMs / 1000)
    observed.observe(live, state.workers)
  }
  meter.addBatchObservableCallback(read, [depth, lag, live])
  return () => meter.removeBatchObservableCallback(read, [depth, lag, live])
}

interface QueueState {
  readonly depth: Readonly<Record<string, number>>
  readonly lagMs: number
  readonly workers: number
}

const statuses = ['ready', 'running', 'blocked', 'pending'] as const
/** The oldest ready steps may belong to paused plans, or start later. */
const lookedAt = 100

async function queueState({ store: { log, work }, owners }: Queue): Promise<QueueState> {
  const depth: Record<string, number> = Object.fromEntries(statuses.map((status) => [status, 0]))
  const oldest: Head[] = []
  for (const owner of owners) {
    for (const plan of await scanAll(log, { owner, concepts: [planConcept], status: ['open', 'running'] })) {
      const tally = await work.tally(plan.id, { owner, concept: stepConcept })
      for (const status of statuses) depth[status] = (depth[status] ?? 0) + (tally[status] ?? 0)
    }
    oldest.push(...(await log.scan({ owner, concepts: [stepConcept], status: 'ready', limit: lookedAt })).nodes)
  }
  return { depth, lagMs: lagOf(oldest, await work.now()), workers: (await work.sessions()).length }
}
