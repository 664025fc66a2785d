/** Removes nodes with all their versions: their rows in the log, their heads, edges and recall items. */
import { type OwnerOption, parseId, type PrunedNode, type PruneReport } from '@agentm/nodes'
import { checkOwner, decidePrune } from '@agentm/nodes/store-kit'
import type { Run } from './database.ts'
import type { StoreContext } from './store-context.ts'

interface LockedHead {
  readonly id: string
  readonly partition: string
  readonly version: number
  readonly seq: number
}

export async function pruneNodes(
  { database }: StoreContext,
  nodes: readonly PrunedNode[],
  { owner }: OwnerOption,
): Promise<PruneReport> {
  checkOwner(owner)
  const given = new Map(nodes.map(({ id, version }) => [id, version]))
  for (const id of given.keys()) parseId(id)
  if (given.size === 0) return { nodes: 0, versions: 0, stayed: [] }
  return database.despiteOthers(async () =>
    database.transaction(async (run) => prune(run, { schema: database.schema, given, owner })),
  )
}

interface Pruning {
  readonly schema: string
  readonly given: ReadonlyMap<string, number>
  readonly owner: string
}

/** The heads are locked first. An append that refers to one of them locks it too, so no new reference can appear in between. */
async function prune(run: Run, pruning: Pruning): Promise<PruneReport> {
  const heads = await lockHeads(run, pruning)
  const { newest, citedBy } = await circumstances(run, pruning.schema, heads)
  const candidates = heads.map((now) => ({
    id: now.id,
    version: pruning.given.get(now.id) ?? 0,
    now,
    citedBy: citedBy[now.id] ?? [],
  }))
  const { remove, stay } = decidePrune(candidates, newest)
  const gone = new Set(remove)
  const leaving = heads.filter(({ id }) => gone.has(id))
  await removeRows(run, pruning, leaving)
  const versions = leaving.reduce((sum, { version }) => sum + version, 0)
  return { nodes: leaving.length, versions, stayed: stay }
}

async function lockHeads(run: Run, { schema, given, owner }: Pruning): Promise<readonly LockedHead[]> {
  return run<LockedHead>({
    text: `select id, partition, version, seq from ${schema}.heads where id = any ($1) and owner = $2
      order by id for update`,
    values: [[...given.keys()], owner],
  })
}

interface Circumstances {
  readonly newest: number
  readonly citedBy: Readonly<Record<string, readonly string[]>>
}

/**
 * The newest version of the log, and the nodes that refer to each of the nodes: at most one more of each way than are removed together. A
 * statement of its own, because its snapshot has to be newer than the locks.
 */
async function circumstances(run: Run, schema: string, heads: readonly LockedHead[]): Promise<Circumstances> {
  const [row] = await run<{ newest: number; cited: string | null }>({
    text: `select (select coalesce(max(seq), 0) from ${schema}.nodes) as newest, (
        select json_object_agg(c.id, c.by)::text from (
          select u.id, array_agg(c.id) as by from unnest($1::text[]) as u (id) cross join lateral (
            (select h.id from ${schema}.heads h where h.parent = u.id limit $2)
            union all (select e.source from ${schema}.edges e where e.target = u.id limit $2)
          ) c group by u.id
        ) c
      ) as cited`,
    values: [heads.map(({ id }) => id), heads.length + 1],
  })
  return { newest: row?.newest ?? 0, citedBy: JSON.parse(row?.cited ?? '{}') }
}

async function removeRows(run: Run, { schema, owner }: Pruning, leaving: readonly LockedHead[]): Promise<void> {
  if (leaving.length === 0) return
  await run({
    text: `with u as materialized (select * from unnest($1::text[], $2::text[]) as u (partition, id)),
      node as (delete from ${schema}.nodes n using u where n.partition = u.partition and n.id = u.id),
      edge as (delete from ${schema}.edges e using u where e.source = u.id),
      item as (delete from ${schema}.items i using u where i.owner = $3 and i.id = u.id)
      delete from ${schema}.heads h using u where h.id = u.id`,
    values: [leaving.map(({ partition }) => partition), leaving.map(({ id }) => id), owner],
  })
}
