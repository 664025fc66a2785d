/** `RecallStore` on PostgreSQL. This file stores vectors; how nodes are ranked depends on the server's extensions. */
import type { RecallStore } from '@agentm/nodes'
import {
  checkVector,
  InvalidVectorError,
  type QueryVector,
  recallArguments,
  resolveVector,
} from '@agentm/nodes/store-kit'
import type { KnownEmbedder } from './embedders.ts'
import { type VectorRow, vectorRow } from './pure/append-call.ts'
import { withoutVector } from './pure/recall-scope.ts'
import { recallFrom } from './recall-query.ts'
import type { StoreContext } from './store-context.ts'
import { VectorCache } from './vector-cache.ts'

export function postgresRecall(context: StoreContext): RecallStore & { close(): Promise<void> } {
  const { database, embedders, concepts, clock } = context
  const cache = new VectorCache(database)
  return {
    pending: async (options) => pending(context, options),
    async putVectors({ name, dimensions }, vectors) {
      for (const { values } of vectors) checkVector(values, dimensions)
      if (vectors.length === 0) return 0
      const rows = await embedders.rows(
        vectors.map(({ id, revision, values }) => ({ id, revision, vector: { embedder: name, values } })),
      )
      return putVectors(context, rows)
    },
    async recall(query) {
      if (query.at === undefined && clock.stale) await context.writer.askClock()
      const at = query.at ?? clock.now()
      const asked = recallArguments(query, concepts, at)
      const vector = await resolveVector(query)
      const known = vector === undefined ? undefined : await embedders.find(vector.embedder)
      checkComparable(vector, known)
      return recallFrom(context, cache, { query, asked, at, vector: vector?.unit, embedder: known })
    },
    async close() {
      await context.near.close()
      await cache.close()
    },
  }
}

function checkComparable(vector: QueryVector | undefined, known: KnownEmbedder | undefined): void {
  if (vector !== undefined && known !== undefined && vector.unit.length !== known.dimensions)
    throw new InvalidVectorError(`${known.name} has ${known.dimensions} dimensions here, not ${vector.unit.length}`)
}

async function putVectors({ database, embedders }: StoreContext, rows: readonly VectorRow[]): Promise<number> {
  const [row] = await database.write<{ count: number }>({
    text: `select ${database.schema}.put_vectors($1, $2::${embedders.type.name}[]) as count`,
    values: [JSON.stringify(rows.map(vectorRow)), embedders.typed(rows.map(({ typed }) => typed))],
  })
  return row?.count ?? 0
}

async function pending(
  { database, embedders }: StoreContext,
  { embedder, owner, limit = 100 }: Parameters<RecallStore['pending']>[0],
) {
  const { schema } = database
  const known = await embedders.find(embedder)
  const where = `${withoutVector('$1::integer')} and ($2::text is null or i.owner = $2)`
  const rows = await database.read<{ id: string | null; owner: string; text: string; revision: number; total: number }>(
    {
      text: `select i.id, i.owner, i.text, i.revision, t.total from (select count(*) as total from ${schema}.items i where ${where}) t
      left join lateral (
        select i.id, i.owner, i.text, i.revision from ${schema}.items i where ${where} order by i.revision limit $3
      ) i on true order by i.revision`,
      values: [known?.id ?? 0, owner ?? null, limit],
    },
  )
  const items = rows.flatMap(({ id, total: _total, ...rest }) => (id === null ? [] : [{ id, ...rest }]))
  return { items, total: rows[0]?.total ?? 0 }
}
