/** `RecallStore` on one file. */
import type { RecallStore } from '@agentm/nodes'
import { checkVector, recallArguments, resolveVector } from '@agentm/nodes/store-kit'
import { embedderOf } from './embedders.ts'
import { recallFrom, type RecallParts } from './recall-query.ts'
import { storeVector } from './recall-rows.ts'
import { objectIn } from './rows.ts'
import { checkOpen, type StoreContext } from './store-context.ts'

export function sqliteRecall(
  context: StoreContext,
  parts: RecallParts & { readonly afterWrite: () => void },
): RecallStore {
  const { reader, writer, queue, runtime, concepts } = context
  return {
    async pending({ embedder, owner, limit = 100 }) {
      checkOpen(context)
      return reader.snapshot(() => pendingIn(context, embedder, owner, limit))
    },
    async putVectors({ name, dimensions }, vectors) {
      for (const { values } of vectors) checkVector(values, dimensions)
      checkOpen(context)
      const store = () => {
        const { number } = embedderOf(writer, name, dimensions)
        const wanted = vectors.filter(
          ({ id, revision }) => writer.get('select 1 from recall where key = ? and id = ?', revision, id) !== undefined,
        )
        for (const { revision, values } of wanted) storeVector(writer, revision, { values, number })
        return wanted.length
      }
      // Vectors can be computed again, so this does not wait for the disk.
      const stored = await queue.run(store, { durability: 'normal' })
      parts.afterWrite()
      return stored
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

function pendingIn({ reader, concepts }: StoreContext, name: string, owner: string | undefined, limit: number) {
  const number = reader.number('select number from embedders where name = ?', name)
  const several = reader.number('select count(*) from embedders where name <> ?', name) > 0
  const where = `${several ? 'r.embedder is not ?1' : 'r.embedder is null and ?1 is not null'} and (?2 is null or r.owner = ?2)`
  const rows = reader.all(
    `select r.key, r.id, r.owner, r.concept, n.payload from recall r join nodes n on n.seq = r.seq
      where ${where} order by r.key limit ?3`,
    number,
    owner ?? null,
    limit,
  )
  const items = rows.map((row) => ({
    id: String(row['id']),
    owner: String(row['owner']),
    revision: Number(row['key']),
    text: concepts.find(String(row['concept']))?.recallable?.text(objectIn(row['payload'])) ?? '',
  }))
  return { items, total: reader.number(`select count(*) from recall r where ${where}`, number, owner ?? null) }
}
