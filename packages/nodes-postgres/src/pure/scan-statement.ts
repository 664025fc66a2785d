/** A scan as one statement: conditions over the heads, then their newest versions or all of them, in sequence order. */
import { InvalidQueryError, type ScanQuery } from '@agentm/nodes'
import { headColumns, headsFrom, nodeColumns } from '../node-rows.ts'

export interface ScanStatement {
  readonly text: string
  readonly values: readonly unknown[]
  readonly limit: number
}

const most = 10_000

export function scanStatement(query: ScanQuery, schema: string): ScanStatement {
  const { versions = 'heads', order = 'oldest', limit = 1000 } = query
  const values: unknown[] = []
  const put = (value: unknown) => `$${values.push(value)}`
  const rows = Math.max(0, Math.min(most, Number.isNaN(limit) ? 1000 : Math.floor(limit)))
  const all = versions === 'all'
  const seq = all ? 'n.seq' : 'h.seq'
  const createdAt = all ? 'n.created_at' : 'h.created_at'
  const where = [`h.owner = ${put(query.owner)}`, ...headConditions(query, put, schema)]
  if (query.since !== undefined) where.push(`${createdAt} >= ${put(Math.ceil(query.since))}`)
  if (query.after !== undefined) where.push(`${seq} > ${put(Math.floor(query.after))}`)
  if (query.cursor !== undefined) where.push(`${seq} ${order === 'oldest' ? '>' : '<'} ${put(cursorSeq(query.cursor))}`)
  const from = all
    ? `${schema}.heads h join ${schema}.nodes n on n.partition = h.partition and n.id = h.id`
    : headsFrom(schema)
  return {
    text: `select ${all ? nodeColumns : headColumns} from ${from}
      where ${where.join(' and ')} order by ${seq} ${order === 'oldest' ? 'asc' : 'desc'} limit ${put(rows + 1)}`,
    values,
    limit: rows,
  }
}

function headConditions(query: ScanQuery, put: (value: unknown) => string, schema: string): string[] {
  const { concepts, ids, partition, status, parent, related, maxRemaining } = query
  const where: string[] = []
  if (concepts !== undefined)
    where.push(concepts.length === 1 ? `h.concept = ${put(concepts[0])}` : `h.concept = any (${put(concepts)})`)
  if (ids !== undefined) where.push(`h.id = any (${put(ids)})`)
  if (partition !== undefined) where.push(`h.partition = ${put(partition)}`)
  if (status !== undefined) where.push(`h.status = any (${put(typeof status === 'string' ? [status] : status)})`)
  if (parent !== undefined) where.push(`h.parent = ${put(parent)}`)
  if (maxRemaining !== undefined) where.push(`h.remaining <= ${put(Math.min(2 ** 31 - 1, Math.floor(maxRemaining)))}`)
  if (related !== undefined)
    where.push(
      `h.id in (select e.source from ${schema}.edges e where e.target = ${put(related.to)} and e.field = ${put(related.field)})`,
    )
  return where
}

function cursorSeq(cursor: string): number {
  if (!/^\d{1,16}$/.test(cursor))
    throw new InvalidQueryError(
      `${JSON.stringify(cursor)} is no cursor of this store. Pass the one of the page before.`,
    )
  return Number(cursor)
}
