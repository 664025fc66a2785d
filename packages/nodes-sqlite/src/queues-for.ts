/**
 * The nodes that a worker may claim now, by partition, in the order in which they are claimed. Each partition gets at most as many as it
 * could get.
 */
import type { Concept, TakeOptions } from '@agentm/nodes'
import type { PartitionQueue } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row } from './database.ts'
import { type FlowControl, flowControl, type ReadyQuery, type ReadyRow, readyRowOf } from './flow-control.ts'
import { inOrder, type Lane, laneOf, lanesOf } from './lanes.ts'
import { among } from './pure/among.ts'
import { limited } from './pure/limited.ts'
import type { StoreContext } from './store-context.ts'

export interface ReadyQueue extends PartitionQueue {
  readonly rows: readonly ReadyRow[]
}

interface Claiming extends TakeOptions {
  /** The virtual time of the last pick anywhere. */
  readonly clock: number
  readonly now: number
}

interface Looking {
  readonly writer: Connection
  readonly queries: readonly Query[]
  /** Absent if no node with flow control is ready. */
  readonly flow: FlowControl | undefined
}

export function queuesFor(
  { writer, concepts }: Pick<StoreContext, 'writer' | 'concepts'>,
  claiming: Claiming,
): readonly ReadyQueue[] {
  const queries = claiming.owners.flatMap((owner) =>
    claiming.concepts.flatMap((name) => queriesFor(concepts.get(name), { ...claiming, owner })),
  )
  const looking = { writer, queries, flow: flowControl(writer, claiming) }
  return claiming.parents === undefined ? amongAll(looking, claiming) : amongChildren(looking, claiming)
}

/** A query for one owner and one concept, because only then an index has the rows in the needed order. */
interface Query extends ReadyQuery {
  readonly from: string
}

function queriesFor(
  { name: concept, claimable }: Concept,
  { owner, kinds }: { readonly owner: string; readonly kinds?: readonly string[] },
): readonly Query[] {
  if (claimable === undefined) return []
  const { from, kind } = claimable
  if (kinds === undefined || kind === undefined) return [{ owner, concept, from, joined: '', where: '', values: [] }]
  return [
    {
      owner,
      concept,
      from,
      joined: 'join nodes n on n.seq = h.seq',
      where: `and coalesce(n.payload ->> ?, ?) ${among(kinds)}`,
      values: [kind.field, kind.otherwise, ...kinds],
    },
  ]
}

/** Each pick goes to the partition furthest behind, so only the first `k` partitions with ready nodes are needed. */
function amongAll(looking: Looking, claiming: Claiming): readonly ReadyQueue[] {
  const { writer, queries, flow } = looking
  const { partition, k, perPartition = 4, clock } = claiming
  const lanes = partition === undefined ? inOrder(lanesFor(looking, claiming), clock) : [laneOf(writer, partition)]
  const queues: ReadyQueue[] = []
  for (const lane of lanes) {
    if (queues.length === k) break
    if (lane.running >= perPartition) continue
    const limit = Math.min(k, perPartition)
    const most = Math.min(k, perPartition - lane.running)
    const plain = queries.flatMap((query) => readyIn(looking, lane.partition, query, { ...claiming, limit }))
    const scope = { by: 'partition', name: lane.partition } as const
    const rows =
      flow === undefined
        ? oldest(plain, limit)
        : flow.admit([...plain, ...queries.flatMap((query) => flow.rowsIn(scope, query, limit).map(readyRowOf))], most)
    if (rows.length > 0) queues.push({ ...lane, ready: rows.length, rows })
  }
  return queues
}

/** The partitions with ready nodes. */
function lanesFor({ writer, flow }: Looking, { owners }: Claiming): readonly Lane[] {
  const lanes = lanesOf(writer, owners)
  if (flow === undefined) return lanes
  const known = new Set(lanes.map(({ partition }) => partition))
  const others = new Set(owners.flatMap((owner) => flow.partitionsOf(owner)).filter((name) => !known.has(name)))
  return [...lanes, ...[...others].map((name) => laneOf(writer, name))]
}

/** Ready nodes without flow control. Their rank is read only if they are compared with nodes that have one. */
function readyIn(
  { writer, flow }: Looking,
  partition: string,
  { owner, concept, joined, where, values }: Query,
  { now, limit }: { readonly now: number; readonly limit: number },
): readonly ReadyRow[] {
  const rows: readonly Row[] = writer.all(
    `select h.id, h.owner, h.seq${flow === undefined ? '' : rank} from heads h indexed by heads_ready ${joined}
      where h.ready = 1 and h.held = 0 and h.gate is null and h.owner = ? and h.partition = ? and h.concept = ?
        and (h.wake_at is null or h.wake_at > ?) ${where} order by h.seq ${limited}`,
    owner,
    partition,
    concept,
    now,
    ...values,
    limit,
  )
  return rows.map(readyRowOf)
}

const rank = ', (select v.created_at from nodes v where v.seq = h.seq) as rank'

/** Reads parent by parent, so that nodes of other parents are not read. */
function amongChildren(looking: Looking, claiming: Claiming): readonly ReadyQueue[] {
  const { writer, queries, flow } = looking
  const { parents = [], partition, k, perPartition = 4 } = claiming
  const limit = Math.min(k, perPartition)
  const found = new Map<string, ReadyRow[]>()
  const note = (row: Row): void => {
    const name = String(row['partition'])
    found.set(name, [...(found.get(name) ?? []), readyRowOf(row)])
  }
  for (const parent of parents)
    for (const query of queries) {
      const scope = { by: 'parent', name: parent, within: partition } as const
      childrenOf(looking, query, { ...claiming, parent, limit }).forEach(note)
      if (flow !== undefined) flow.rowsIn(scope, query, limit).forEach(note)
    }
  return [...found].map(([name, rows]) => {
    const lane = laneOf(writer, name)
    const most = Math.min(k, Math.max(0, perPartition - lane.running))
    const first = flow === undefined ? oldest(rows, limit) : flow.admit(rows, most)
    return { ...lane, ready: first.length, rows: first }
  })
}

function childrenOf(
  { writer, flow }: Looking,
  { owner, concept, from, joined, where, values }: Query,
  {
    parent,
    partition,
    now,
    limit,
  }: { readonly parent: string; readonly partition?: string; readonly now: number; readonly limit: number },
): readonly Row[] {
  return writer.all(
    `select h.id, h.owner, h.seq, h.partition${flow === undefined ? '' : rank} from heads h indexed by heads_parent ${joined}
      where h.parent = ? and h.concept = ? and h.ready = 1 and h.status = ? and h.held = 0 and h.gate is null
        and h.owner = ? and (?5 is null or h.partition = ?5) and (h.wake_at is null or h.wake_at > ?6) ${where}
      order by h.seq ${limited}`,
    parent,
    concept,
    from,
    owner,
    partition ?? null,
    now,
    ...values,
    limit,
  )
}

function oldest(rows: readonly ReadyRow[], limit: number): readonly ReadyRow[] {
  return rows.toSorted((a, b) => a.seq - b.seq).slice(0, limit)
}
