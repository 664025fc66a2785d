/** `RecallStore` on PostgreSQL. This file stores the items; how they are ranked depends on the server's extensions. */
import type { RecallItem, RecallStore } from '@agentm/nodes'
import {
  checkItem,
  checkOwner,
  checkVector,
  InvalidVectorError,
  type QueryVector,
  recallArguments,
  resolveVector,
} from '@agentm/nodes/store-kit'
import type { Run } from './database.ts'
import type { KnownEmbedder } from './embedders.ts'
import { upsertItems } from './append-function.ts'
import { itemRow, type VectorRow, vectorRow, whole } from './pure/append-call.ts'
import { withoutVector } from './pure/recall-scope.ts'
import { recallFrom } from './recall-query.ts'
import type { StoreContext } from './store-context.ts'
import { VectorCache } from './vector-cache.ts'

export function postgresRecall(context: StoreContext): RecallStore & { close(): Promise<void> } {
  const { database, embedders, concepts, clock } = context
  const { schema } = database
  const cache = new VectorCache(database)
  return {
    put: async (items, options) => put(context, items, options),
    async remove(what, { owner }) {
      checkOwner(owner)
      const [condition, value] = 'ids' in what ? ['id = any ($2)', what.ids] : ['source = $2', what.source]
      const rows = await database.write<{ count: number }>({
        text: `with gone as (
            delete from ${schema}.items where owner = $1 and version is null and ${condition} returning 1
          ) select count(*) as count from gone`,
        values: [owner, value],
      })
      return rows[0]?.count ?? 0
    },
    async entries({ owner, concept, after = '', limit }) {
      checkOwner(owner)
      const rows = await database.read<EntryRow>({
        text: `select id, source, concept, partition, data from ${schema}.items
          where owner = $1 and version is null and id > $2 and ($3::text is null or concept = $3) order by id limit $4`,
        values: [owner, after, concept ?? null, limit ?? null],
      })
      return { entries: rows.map(({ data, ...entry }) => ({ ...entry, data: data === null ? {} : JSON.parse(data) })) }
    },
    pending: async (options) => pending(context, options),
    async putVectors({ name, dimensions }, vectors) {
      for (const { values } of vectors) checkVector(values, dimensions)
      if (vectors.length === 0) return 0
      const rows = await embedders.rows(
        vectors.map(({ id, revision, values }) => ({ id, revision, vector: { embedder: name, values } })),
      )
      return putVectors(async (statement) => database.write(statement), context, rows)
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

interface EntryRow {
  readonly id: string
  readonly source: string
  readonly concept: string
  readonly partition: string
  readonly data: string | null
}

function checkComparable(vector: QueryVector | undefined, known: KnownEmbedder | undefined): void {
  if (vector !== undefined && known !== undefined && vector.unit.length !== known.dimensions)
    throw new InvalidVectorError(`${known.name} has ${known.dimensions} dimensions here, not ${vector.unit.length}`)
}

async function put(
  context: StoreContext,
  items: readonly RecallItem[],
  { owner, replace }: { readonly owner: string; readonly replace?: string },
): Promise<void> {
  const { database, embedders, concepts } = context
  checkOwner(owner)
  for (const item of items) checkItem(concepts, item)
  const given = items.flatMap(({ id, vector }) => (vector === undefined ? [] : [{ id, owner, vector }]))
  const vectors = await embedders.rows(given)
  const { schema } = database
  // If several items have one id, the last one counts, because one statement cannot change a row twice.
  const unique = [...new Map(items.map((item) => [item.id, item])).values()]
  await database.despiteOthers(async () =>
    database.transaction(async (run) => {
      if (replace !== undefined)
        await run({
          text: `delete from ${schema}.items where owner = $1 and source = $2 and version is null and id <> all ($3)`,
          values: [owner, replace, unique.map(({ id }) => id)],
        })
      if (unique.length > 0)
        await run({ text: upsert(schema), values: [JSON.stringify(unique.map((item) => rowOf(item, owner)))] })
      if (vectors.length > 0) await putVectors(run, context, vectors)
    }),
  )
}

function upsert(schema: string): string {
  return `with written as (
      ${upsertItems(schema, `json_populate_recordset(null::${schema}.append_row, $1)`)} where items.version is null
      returning key, embedder
    )
    delete from ${schema}.vectors v using written w where v.key = w.key and w.embedder is null`
}

function rowOf({ createdAt, agesFrom = createdAt, active = true, text, data, ...item }: RecallItem, owner: string) {
  const { id, partition, concept, source, status } = item
  return {
    id,
    owner,
    partition,
    concept,
    source,
    status,
    created_at: whole(createdAt),
    ...itemRow({ active, agesFrom, text }),
    data: data === undefined ? undefined : JSON.stringify(data),
  }
}

async function putVectors(
  run: Run,
  { database: { schema }, embedders }: StoreContext,
  rows: readonly VectorRow[],
): Promise<number> {
  const [row] = await run<{ count: number }>({
    text: `select ${schema}.put_vectors($1, $2::${embedders.type.name}[]) as count`,
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
