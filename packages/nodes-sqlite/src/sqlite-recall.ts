/** `RecallStore` on one file. */
import type { Durability, RecallItem, RecallStore } from '@agentm/nodes'
import { checkOwner, checkItem, checkVector, recallArguments, resolveVector } from '@agentm/nodes/store-kit'
import type { Row } from './database.ts'
import { embedderOf } from './embedders.ts'
import { type EntryCache, entryOf } from './entry-cache.ts'
import { dropPacks } from './entry-packs.ts'
import { recallFrom, type RecallParts } from './recall-query.ts'
import { dropRecallRow, storeVector, writeRecallRow } from './recall-rows.ts'
import { eraseFreed } from './redact-node.ts'
import { objectIn } from './rows.ts'
import { checkOpen, type StoreContext } from './store-context.ts'

export function sqliteRecall(
  context: StoreContext,
  parts: RecallParts & { readonly entries: EntryCache; readonly afterWrite: () => void },
): RecallStore {
  const { reader, writer, queue, runtime, concepts } = context
  // Indexed items are derived and can be rebuilt, so writes do not wait for the disk. Only erasure is flushed, because its text must not
  // come back.
  const write = async <T>(work: () => T, durability: Durability = 'normal'): Promise<T> => {
    checkOpen(context)
    const answer = await queue.run(work, { durability })
    parts.afterWrite()
    return answer
  }
  return {
    async put(items, { owner, replace }) {
      checkOwner(owner)
      for (const item of items) checkItem(concepts, item)
      await write(() => {
        for (const item of items) putItem(context, item, owner)
        if (replace !== undefined) dropOthers(context, owner, replace, new Set(items.map(({ id }) => id)))
      })
    },
    async remove(what, { owner, erase = false }) {
      checkOwner(owner)
      const work = () => {
        // Packed copies contain the erased text. They are packed again when needed.
        if (erase) dropPacks(writer, owner)
        return removeItems(context, what, owner)
      }
      const removed = await write(work, erase ? 'full' : 'normal')
      if (erase && removed > 0) await eraseFreed(context)
      return removed
    },
    async entries({ owner, concept, after = '', limit }) {
      checkOpen(context)
      checkOwner(owner)
      if (concept !== undefined && after === '' && limit === undefined)
        return reader.snapshot(() => parts.entries.entries(owner, concept))
      const rows = reader.all(
        `select id, source, concept, partition, data from recall indexed by recall_put
          where seq is null and owner = ? and id > ? and (? is null or concept = ?) order by id limit ?`,
        owner,
        after,
        concept ?? null,
        concept ?? null,
        limit ?? -1,
      )
      return { entries: rows.map(entryOf) }
    },
    async pending({ embedder, owner, limit = 100 }) {
      checkOpen(context)
      return reader.snapshot(() => pendingIn(context, embedder, owner, limit))
    },
    async putVectors({ name, dimensions }, vectors) {
      for (const { values } of vectors) checkVector(values, dimensions)
      return write(() => {
        const { number } = embedderOf(writer, name, dimensions)
        const wanted = vectors.filter(
          ({ id, revision }) => writer.get('select 1 from recall where key = ? and id = ?', revision, id) !== undefined,
        )
        for (const { revision, values } of wanted) storeVector(writer, revision, { values, number })
        return wanted.length
      })
    },
    async recall(query) {
      checkOpen(context)
      const at = query.at ?? runtime.now()
      const args = recallArguments(query, concepts, at)
      const vector = await resolveVector(query)
      checkOpen(context)
      return reader.snapshot(() => recallFrom(context, parts, { args, vector, at }))
    },
  }
}

function putItem({ writer }: StoreContext, item: RecallItem, owner: string): void {
  const { id, concept, partition, source, status, createdAt, text, data, active, agesFrom, vector } = item
  const known = writer.get('select key, text from recall where seq is null and owner = ? and id = ?', owner, id)
  const number = vector === undefined ? 0 : embedderOf(writer, vector.embedder, vector.values.length).number
  const row = { id, concept, owner, partition, source, status, createdAt, seq: undefined, isPut: true, data }
  const more = { ...(active === undefined ? {} : { active }), ...(agesFrom === undefined ? {} : { agesFrom }) }
  writeRecallRow(
    writer,
    { ...row, ...more, text },
    {
      known: known === undefined ? undefined : Number(known['key']),
      sameText: known?.['text'] === text,
      vector: vector === undefined ? undefined : { ...vector, number },
    },
  )
}

function dropOthers({ writer }: StoreContext, owner: string, source: string, kept: ReadonlySet<string>): void {
  for (const row of putRows(writer, owner, source))
    if (!kept.has(String(row['id']))) dropRecallRow(writer, Number(row['key']))
}

function removeItems(
  { writer }: StoreContext,
  what: { readonly ids: readonly string[] } | { readonly source: string },
  owner: string,
): number {
  const rows =
    'source' in what
      ? putRows(writer, owner, what.source)
      : what.ids.flatMap((id) =>
          writer.all('select key from recall where id = ? and owner = ? and seq is null', id, owner),
        )
  for (const row of rows) dropRecallRow(writer, Number(row['key']))
  return rows.length
}

function putRows(writer: StoreContext['writer'], owner: string, source: string): Row[] {
  return writer.all('select key, id from recall where seq is null and owner = ? and source = ?', owner, source)
}

function pendingIn({ reader, concepts }: StoreContext, name: string, owner: string | undefined, limit: number) {
  const number = reader.number('select number from embedders where name = ?', name)
  const several = reader.number('select count(*) from embedders where name <> ?', name) > 0
  const where = `${several ? 'r.embedder is not ?1' : 'r.embedder is null and ?1 is not null'} and (?2 is null or r.owner = ?2)`
  const rows = reader.all(
    `select r.key, r.id, r.owner, r.concept, r.text, n.payload from recall r left join nodes n on n.seq = r.seq
      where ${where} order by r.key limit ?3`,
    number,
    owner ?? null,
    limit,
  )
  const items = rows.map((row) => ({
    id: String(row['id']),
    owner: String(row['owner']),
    revision: Number(row['key']),
    text:
      row['payload'] === null
        ? String(row['text'])
        : (concepts.find(String(row['concept']))?.recallable?.text(objectIn(row['payload'])) ?? ''),
  }))
  return { items, total: reader.number(`select count(*) from recall r where ${where}`, number, owner ?? null) }
}
