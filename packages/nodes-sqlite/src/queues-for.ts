/**
 * The nodes that a worker may claim now, by partition, in the order in which they became ready. Each partition gets at most as many as it
 * could get.
 */
import type { Concept, TakeOptions } from '@agentm/nodes'
import type { PartitionQueue } from '@agentm/nodes/store-kit'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './database.ts'
import { inOrder, laneOf, lanesOf } from './lanes.ts'
import { among } from './pure/among.ts'
import { limited } from './pure/limited.ts'
import type { StoreContext } from './store-context.ts'

export interface ReadyQueue extends PartitionQueue {
  readonly ids: readonly string[]
}

/** `clock` is the virtual time of the last pick anywhere. */
export function queuesFor(
  { writer, concepts }: Pick<StoreContext, 'writer' | 'concepts'>,
  options: TakeOptions,
  clock: number,
): readonly ReadyQueue[] {
  const queries = options.owners.flatMap((owner) =>
    options.concepts.flatMap((name) => queriesFor(concepts.get(name), { ...options, owner })),
  )
  return options.parents === undefined
    ? amongAll(writer, queries, options, clock)
    : amongChildren(writer, queries, options)
}

/** A query for one owner and one concept, because only then an index has the rows in the needed order. */
interface Query {
  readonly owner: string
  readonly concept: string
  readonly from: string
  /** The joined tables and their conditions, without owner and concept. */
  readonly joined: string
  readonly where: string
  readonly values: readonly SqlValue[]
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
function amongAll(
  writer: Connection,
  queries: readonly Query[],
  { owners, partition, k, perPartition = 4 }: TakeOptions,
  clock: number,
): readonly ReadyQueue[] {
  const lanes = partition === undefined ? inOrder(lanesOf(writer, owners), clock) : [laneOf(writer, partition)]
  const limit = Math.min(k, perPartition)
  const queues: ReadyQueue[] = []
  for (const lane of lanes) {
    if (queues.length === k) break
    if (lane.running >= perPartition) continue
    const ids = oldest(
      queries.flatMap((query) => readyIn(writer, lane.partition, query, limit)),
      limit,
    )
    if (ids.length > 0) queues.push({ ...lane, ready: ids.length, ids })
  }
  return queues
}

function readyIn(writer: Connection, partition: string, query: Query, limit: number): readonly Row[] {
  const { owner, concept, joined, where, values } = query
  return writer.all(
    `select h.id, h.seq from heads h indexed by heads_ready ${joined} where h.ready = 1 and h.held = 0 and h.owner = ?
      and h.partition = ? and h.concept = ? ${where} order by h.seq ${limited}`,
    owner,
    partition,
    concept,
    ...values,
    limit,
  )
}

/** Reads parent by parent, so that nodes of other parents are not read. */
function amongChildren(
  writer: Connection,
  queries: readonly Query[],
  { parents = [], partition, k, perPartition = 4 }: TakeOptions,
): readonly ReadyQueue[] {
  const limit = Math.min(k, perPartition)
  const found = new Map<string, Row[]>()
  for (const parent of parents)
    for (const { owner, concept, from, joined, where, values } of queries) {
      const rows = writer.all(
        `select h.id, h.seq, h.partition from heads h indexed by heads_parent ${joined} where h.parent = ?
          and h.concept = ? and h.ready = 1 and h.status = ? and h.held = 0 and h.owner = ?
          and (?5 is null or h.partition = ?5) ${where} order by h.seq ${limited}`,
        parent,
        concept,
        from,
        owner,
        partition ?? null,
        ...values,
        limit,
      )
      for (const row of rows) {
        const name = String(row['partition'])
        found.set(name, [...(found.get(name) ?? []), row])
      }
    }
  return [...found].map(([name, rows]) => {
    const ids = oldest(rows, limit)
    return { ...laneOf(writer, name), ready: ids.length, ids }
  })
}

function oldest(rows: readonly Row[], limit: number): readonly string[] {
  return rows
    .toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
    .slice(0, limit)
    .map(({ id }) => String(id))
}
