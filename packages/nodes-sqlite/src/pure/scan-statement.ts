/** Builds a scan as one statement. The filters select heads first, and then the versions are chosen. */
import type { ScanQuery } from '@agentm/nodes'
import type { ConceptSet } from '@agentm/nodes/store-kit'
import type { SqlValue } from '../database.ts'
import { among } from './among.ts'

const most = 10_000

export function scanStatement(query: ScanQuery, columns: string, known: ConceptSet) {
  const { versions = 'heads', order = 'oldest', limit: wanted = 1000 } = query
  const limit = Math.max(0, Math.min(most, Math.floor(wanted)))
  const conditions = [...headConditions(query), ...readyConditions(query, known), ...rowConditions(query, order)]
  const join = versions === 'all' ? 'nodes n on n.head = h.key' : 'nodes n on n.seq = h.seq'
  // A scan of heads sorts by the head's own column, because the indexes contain it.
  const by = versions === 'all' ? 'n.seq' : 'h.seq'
  const sql = `select ${columns} from heads h join ${join} where ${conditions.map(([condition]) => condition).join(' and ')}
    order by ${by} ${order === 'oldest' ? 'asc' : 'desc'} limit ${limit + 1}`
  return { sql, values: conditions.flatMap(([, ...values]) => values), limit }
}

type Condition = readonly [string, ...SqlValue[]]

/**
 * Ids, edges and parents select few heads. The unary plus keeps the planner from walking all heads of an owner or a status instead, which
 * it prefers because their index gives the order without sorting.
 */
function headConditions(query: ScanQuery): readonly Condition[] {
  const { owner, concepts, ids, partition, status, parent, related, maxRemaining } = query
  const fewById = ids !== undefined || related !== undefined
  const wide = fewById ? '+h.' : 'h.'
  const conditions: Condition[] = [[`${fewById || parent !== undefined ? '+h.' : 'h.'}owner = ?`, owner]]
  if (concepts !== undefined) conditions.push(isAmong(`${wide}concept`, concepts))
  if (ids !== undefined) conditions.push(isAmong('h.id', ids))
  if (partition !== undefined) conditions.push(['h.partition = ?', partition])
  if (status !== undefined) conditions.push(isAmong(`${wide}status`, listOf(status)))
  if (parent !== undefined) conditions.push(isAmong(`${wide}parent`, listOf(parent)))
  if (related !== undefined)
    conditions.push(['h.id in (select source from edges where target = ? and field = ?)', related.to, related.field])
  if (maxRemaining !== undefined) conditions.push(['h.remaining <= ?', maxRemaining])
  return conditions
}

/** A condition that is implied by the status. It names the column that precedes the status in the indexes, so that they can be used. */
function readyConditions({ concepts, ids, related, status }: ScanQuery, known: ConceptSet): readonly Condition[] {
  if (concepts === undefined || status === undefined || ids !== undefined || related !== undefined) return []
  const asked = listOf(status)
  const maybeReady = concepts.some((name) => {
    const concept = known.find(name)
    return concept === undefined || asked.some((each) => each === concept.claimable?.from)
  })
  return [[maybeReady ? 'h.ready in (0, 1)' : 'h.ready = 0']]
}

function rowConditions(
  { versions, after, since, cursor }: ScanQuery,
  order: 'oldest' | 'newest',
): readonly Condition[] {
  const seq = versions === 'all' ? 'n.seq' : 'h.seq'
  const conditions: Condition[] = []
  if (after !== undefined) conditions.push([`${seq} > ?`, after])
  if (since !== undefined) conditions.push(['n.created_at >= ?', since])
  if (cursor !== undefined) conditions.push([`${seq} ${order === 'oldest' ? '>' : '<'} ?`, Number(cursor)])
  return conditions
}

function listOf(asked: string | readonly string[]): readonly string[] {
  return typeof asked === 'string' ? [asked] : asked
}

const few = 8

/** One value becomes a plain equality, so that all columns of an index can be used. */
function isAmong(column: string, values: readonly string[]): Condition {
  const [only] = values
  if (only !== undefined && values.length === 1) return [`${column} = ?`, only]
  if (values.length <= few) return [`${column} ${among(values)}`, ...values]
  return [`${column} in (select value from json_each(?))`, JSON.stringify(values)]
}
