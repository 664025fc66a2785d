/**
 * Start-time fair queueing over partitions. Each claimed unit adds one to the virtual time of its partition, and the partition with the
 * lowest virtual time is next. A partition that was idle starts at the current virtual time, so it can neither save up turns nor be
 * starved.
 */
export interface PartitionQueue {
  readonly partition: string
  readonly ready: number
  readonly running: number
  readonly virtualTime: number
}

/** How many rows of a partition are claimed next. */
export interface FairPick {
  readonly partition: string
  readonly count: number
  /** The virtual time of the partition after the pick. */
  readonly virtualTime: number
}

interface Standing {
  readonly queue: PartitionQueue
  room: number
  virtualTime: number
  count: number
}

/** `clock` is the virtual time of the last pick anywhere. */
export function fairPick(
  queues: readonly PartitionQueue[],
  { k, perPartition, clock }: { readonly k: number; readonly perPartition: number; readonly clock: number },
): { readonly picks: readonly FairPick[]; readonly clock: number } {
  const standings = queues
    .map((queue): Standing => ({
      queue,
      room: Math.min(queue.ready, perPartition - queue.running),
      virtualTime: Math.max(queue.virtualTime, clock),
      count: 0,
    }))
    .filter(({ room }) => room > 0)
  let now = clock
  for (let taken = 0; taken < k; taken++) {
    const next = furthestBehind(standings)
    if (next === undefined) break
    now = next.virtualTime
    next.virtualTime += 1
    next.room -= 1
    next.count += 1
  }
  const picks = standings
    .filter(({ count }) => count > 0)
    .map(({ queue, count, virtualTime }) => ({ partition: queue.partition, count, virtualTime }))
  return { picks, clock: now }
}

function furthestBehind(standings: readonly Standing[]): Standing | undefined {
  let best: Standing | undefined
  for (const standing of standings)
    if (standing.room > 0 && (best === undefined || comesBefore(standing, best))) best = standing
  return best
}

function comesBefore(a: Standing, b: Standing): boolean {
  return a.virtualTime < b.virtualTime || (a.virtualTime === b.virtualTime && a.queue.partition < b.queue.partition)
}
