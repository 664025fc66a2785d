/** The scope of a recall, as conditions over `items i`. */
import { type ConceptSet, isKeptCurrent, type RecallArguments } from '@agentm/nodes/store-kit'

export interface ScopeSource {
  readonly schema: string
  readonly concepts: ConceptSet
}

/** Collects the values of a statement and returns their placeholders. */
export class Values {
  readonly list: unknown[] = []
  put(value: unknown, type = ''): string {
    return `$${this.list.push(value)}${type === '' ? '' : `::${type}`}`
  }
}

export function scopeConditions(asked: RecallArguments, values: Values, source: ScopeSource): string {
  const { owner, concepts, partitions, status, notBefore } = asked
  const where = [`i.owner = ${values.put(owner, 'text')}`]
  if (concepts !== undefined) where.push(`i.concept = any (${values.put(concepts, 'text[]')})`)
  if (partitions !== undefined) where.push(`i.partition = any (${values.put(partitions, 'text[]')})`)
  if (status === undefined) where.push('i.active')
  else where.push(`${ofHead('status', values, source)} = any (${values.put(status, 'text[]')})`)
  if (notBefore !== undefined)
    where.push(`${ofHead('created_at', values, source)} >= ${values.put(Math.ceil(notBefore), 'bigint')}`)
  return where.join(' and ')
}

/** Rows of current concepts have the value themselves. For other nodes only the head has it. */
function ofHead(column: 'status' | 'created_at', values: Values, { schema, concepts }: ScopeSource): string {
  const current = values.put(
    [...concepts].filter(isKeptCurrent).map(({ name }) => name),
    'text[]',
  )
  return `case when i.concept = any (${current}) then i.${column}
    else (select h.${column} from ${schema}.heads h where h.id = i.id) end`
}

/** Items without a vector of this embedder, so that an index over the column can be used. */
export function withoutVector(embedder: string): string {
  return `(i.embedder is null or i.embedder < ${embedder} or i.embedder > ${embedder})`
}

/** Ranks a text by the words of the query. Matches nothing if the query has no words. */
export const matchRank = (query: string): string =>
  `case when i.lexemes @@ ${query} then ts_rank(i.lexemes, ${query}, 1) else 0 end`

/** The concepts of which the owner has at least one item. Ordered, so that each costs one index lookup. */
export function presentNames(schema: string, { owner, names }: { readonly owner: string; readonly names: string }) {
  return `
      select c.concept from unnest(${names}) as c (concept) where (
        select true from ${schema}.heads h where h.owner = ${owner} and h.concept = c.concept order by h.seq limit 1
      )`
}
