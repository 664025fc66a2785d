/** A scan as one statement: conditions over the heads, then their newest versions or all of them, in sequence order. */
import type { ScanQuery } from '@agentm/nodes'
import { InvalidQueryError } from '@agentm/nodes/store-kit'
import { headColumns, newestVersion, nodeColumns, ownerChecked } from '../rows.ts'

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
  const narrow = isNarrow(query)
  const where = [`${narrow ? ownerChecked : 'h.owner'} = ${put(query.owner)}`, ...headConditions(query, put)]
  if (query.since !== undefined) where.push(`${createdAt} >= ${put(Math.ceil(query.since))}`)
  if (query.after !== undefined) where.push(`${seq} > ${put(Math.floor(query.after))}`)
  if (query.cursor !== undefined) where.push(`${seq} ${order === 'oldest' ? '>' : '<'} ${put(cursorSeq(query.cursor))}`)
  const heads = query.related === undefined ? `${schema}.heads h` : relatedHeads(query.related, put, schema)
  return {
    text: `select ${all ? nodeColumns : headColumns} from ${heads} ${all ? allVersions(schema, narrow) : newestVersion(schema)}
      where ${where.join(' and ')} order by ${seq} ${order === 'oldest' ? 'asc' : 'desc'} limit ${put(rows + 1)}`,
    values,
    limit: rows,
  }
}

type Put = (value: unknown) => string

/** Whether a scan selects few heads: by ids, edges or a parent. */
function isNarrow({ ids, related, parent }: ScanQuery): boolean {
  return ids !== undefined || related !== undefined || parent !== undefined
}

/** Follows the edges first, whatever the planner estimates. */
function relatedHeads({ to, field }: NonNullable<ScanQuery['related']>, put: Put, schema: string): string {
  return `(
        select e.source from ${schema}.edges e where e.target = ${put(to)} and e.field = ${put(field)} offset 0
      ) r cross join lateral (select * from ${schema}.heads s where s.id = r.source offset 0) h`
}

/** For few heads, versions are looked up one by one. For many, they may be read in the order of the log. */
function allVersions(schema: string, narrow: boolean): string {
  return narrow
    ? `cross join lateral (
        select * from ${schema}.nodes v where v.partition = h.partition and v.id = h.id offset 0
      ) n`
    : `join ${schema}.nodes n on n.partition = h.partition and n.id = h.id`
}

function headConditions(query: ScanQuery, put: Put): string[] {
  const { concepts, ids, partition, status, parent, maxRemaining } = query
  const where: string[] = []
  if (concepts !== undefined) where.push(isAmong('h.concept', concepts, put))
  if (ids !== undefined) where.push(`h.id = any (${put(ids)})`)
  if (partition !== undefined) where.push(`h.partition = ${put(partition)}`)
  if (status !== undefined) where.push(isAmong('h.status', listOf(status), put))
  if (parent !== undefined) where.push(isAmong('h.parent', listOf(parent), put))
  if (maxRemaining !== undefined) where.push(`h.remaining <= ${put(Math.min(2 ** 31 - 1, Math.floor(maxRemaining)))}`)
  return where
}

function listOf(asked: string | readonly string[]): readonly string[] {
  return typeof asked === 'string' ? [asked] : asked
}

/** One value becomes a plain equality, so that the index is used fully and gives the order. */
function isAmong(column: string, values: readonly string[], put: Put): string {
  return values.length === 1 ? `${column} = ${put(values[0])}` : `${column} = any (${put(values)})`
}

function cursorSeq(cursor: string): number {
  if (!/^\d{1,16}$/.test(cursor))
    throw new InvalidQueryError(
      `${JSON.stringify(cursor)} is not a cursor of this store. Pass the cursor of the previous page.`,
    )
  return Number(cursor)
}
