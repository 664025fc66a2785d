/** What a taker may claim now, by partition, in the order in which it became ready; of each partition no more than it could get. */
import type { Concept, TakeOptions } from '@agentm/nodes'
import type { Connection } from './connection.ts'
import type { Row, SqlValue } from './database.ts'
import type { StoreContext } from './store-context.ts'

export function readyFor(
  { writer, concepts }: Pick<StoreContext, 'writer' | 'concepts'>,
  options: TakeOptions,
): ReadonlyMap<string, readonly string[]> {
  const { owners, k, perPartition = 4, parents } = options
  const limit = Math.min(k, perPartition)
  const queries = owners.flatMap((owner) =>
    options.concepts.flatMap((name) => queriesFor(concepts.get(name), { ...options, owner })),
  )
  const found =
    parents === undefined ? amongAll(writer, queries, options, limit) : amongChildren(writer, queries, options, limit)
  return new Map(
    [...found]
      .filter(([, rows]) => rows.length > 0)
      .map(([partition, rows]) => [partition, oldest(rows, limit)] as const),
  )
}

/** One owner, one concept: only then an index has the rows in the order wanted. */
interface Query {
  readonly owner: string
  readonly concept: string
  readonly from: string
  /** The tables, and what is asked of them beside owner and concept. */
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
      where: 'and coalesce(n.payload ->> ?, ?) in (select value from json_each(?))',
      values: [kind.field, kind.otherwise, JSON.stringify(kinds)],
    },
  ]
}

type Found = Map<string, Row[]>

function amongAll(
  writer: Connection,
  queries: readonly Query[],
  { owners, partition }: TakeOptions,
  limit: number,
): Found {
  const names = partition === undefined ? readyPartitions(writer, owners) : [partition]
  return new Map(names.map((name) => [name, queries.flatMap((query) => readyIn(writer, name, query, limit))] as const))
}

/** From one partition to the next through the index, without reading the crowd in between. */
function readyPartitions(writer: Connection, owners: readonly string[]): readonly string[] {
  const names = new Set<string>()
  for (const owner of owners) {
    for (let name = firstPartition(writer, owner); typeof name === 'string'; name = partitionAfter(writer, owner, name))
      names.add(name)
  }
  return [...names].toSorted()
}

function firstPartition(writer: Connection, owner: string): unknown {
  return writer.get(
    `select partition from heads indexed by heads_ready where ready = 1 and held = 0 and owner = ?
      order by partition limit 1`,
    owner,
  )?.['partition']
}

function partitionAfter(writer: Connection, owner: string, partition: string): unknown {
  return writer.get(
    `select partition from heads indexed by heads_ready where ready = 1 and held = 0 and owner = ? and partition > ?
      order by partition limit 1`,
    owner,
    partition,
  )?.['partition']
}

function readyIn(writer: Connection, partition: string, query: Query, limit: number): readonly Row[] {
  const { owner, concept, joined, where, values } = query
  return writer.all(
    `select h.id, h.seq from heads h indexed by heads_ready ${joined} where h.ready = 1 and h.held = 0 and h.owner = ?
      and h.partition = ? and h.concept = ? ${where} order by h.seq limit ?`,
    owner,
    partition,
    concept,
    ...values,
    limit,
  )
}

/** Parent by parent, so that what waits elsewhere is not even read. */
function amongChildren(
  writer: Connection,
  queries: readonly Query[],
  { parents = [], partition }: TakeOptions,
  limit: number,
): Found {
  const found: Found = new Map()
  for (const parent of parents)
    for (const { owner, concept, from, joined, where, values } of queries) {
      const rows = writer.all(
        `select h.id, h.seq, h.partition from heads h indexed by heads_parent ${joined} where h.parent = ?
          and h.concept = ? and h.status = ? and h.ready = 1 and h.held = 0 and h.owner = ?
          and (?5 is null or h.partition = ?5) ${where} order by h.seq limit ?`,
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
  return found
}

function oldest(rows: readonly Row[], limit: number): readonly string[] {
  return rows
    .toSorted((a, b) => Number(a['seq']) - Number(b['seq']))
    .slice(0, limit)
    .map(({ id }) => String(id))
}
