/**
 * Deletes heads, edges and the recall data, and rebuilds them from the log, in one transaction that blocks writers. A vector stays
 * if the text is the same. Sessions are not changed.
 */
import type { Concept } from '@agentm/nodes'
import { foldFacts, isHeld, type KnownHead, relationsOf, targetsIn } from '@agentm/nodes/store-kit'
import type { Run } from './database.ts'
import { knownOf, type KnownRow, nodeColumns } from './rows.ts'
import { upsertItems } from './append-function.ts'
import { factsRow, itemRow } from './pure/append-call.ts'
import { dropSegments } from './segment-packer.ts'
import type { StoreContext } from './store-context.ts'

const pageSize = 1000

interface Folded {
  readonly row: KnownRow
  readonly known: KnownHead
  readonly concept: Concept
  readonly facts: ReturnType<typeof foldFacts>
}

export async function rebuildStore(
  context: StoreContext,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  const { schema } = context.database
  await context.database.transaction(
    async (run) => {
      await run({ text: `lock table ${schema}.nodes, ${schema}.heads, ${schema}.edges in exclusive mode`, once: true })
      await dropSegments(run, schema)
      await run({ text: `delete from ${schema}.edges`, once: true })
      await run({ text: `delete from ${schema}.heads`, once: true })
      const total = onProgress === undefined ? 0 : await countNodes(run, schema)
      let done = 0
      for (let after: string | undefined = ''; after !== undefined;) {
        const page: readonly KnownRow[] = await newestPage(run, schema, after)
        await writePage(run, context, page)
        done += page.length
        onProgress?.(done, total)
        after = page.length < pageSize ? undefined : page.at(-1)?.id
      }
      await countDependencies(run, schema)
      await holdChildren(run, context)
      // All rebuilt items count as changed now, so that caches reload them.
      await run({
        text: `delete from ${schema}.items where changed_in <> pg_current_xact_id()`,
        once: true,
      })
    },
    { unlimited: true },
  )
}

async function countNodes(run: Run, schema: string): Promise<number> {
  const [row] = await run<{ readonly count: string }>({
    text: `select count(*) from ${schema}.nodes where version = 1`,
    once: true,
  })
  return Number(row?.count ?? 0)
}

async function newestPage(run: Run, schema: string, after: string): Promise<readonly KnownRow[]> {
  return run<KnownRow>({
    text: `select ${nodeColumns}, first.created_at as first_created_at from (
        select id, max(version) as version from ${schema}.nodes where id > $1 group by id order by id limit ${pageSize}
      ) newest
      join ${schema}.nodes n on n.id = newest.id and n.version = newest.version
      join ${schema}.nodes first on first.partition = n.partition and first.id = n.id and first.version = 1
      order by n.id`,
    values: [after],
    once: true,
  })
}

async function writePage(run: Run, context: StoreContext, page: readonly KnownRow[]): Promise<void> {
  const folded = page.map((row): Folded => {
    const concept = context.concepts.get(row.concept)
    const known = knownOf(row)
    return { row, known, concept, facts: foldFacts(concept, known) }
  })
  await writeRows(run, context.database.schema, folded)
  await writeEdges(run, context.database.schema, folded)
}

async function writeRows(run: Run, schema: string, folded: readonly Folded[]): Promise<void> {
  const rows = JSON.stringify(folded.map(foldedRow))
  const given = `json_populate_recordset(null::${schema}.append_row, $1)`
  const columns = `id, partition, concept, owner, version, status, created_at, first_created_at, parent, ready, running, done,
        session, wake_at, rank, gate`
  const values = columns.replace(/\b(ready|running|done)\b/g, 'coalesce($1, false)')
  await run({
    text: `insert into ${schema}.heads (${columns}, seq, remaining, held)
      select ${values}, n.seq, 0, false from ${given} u
      cross join lateral (
        select seq from ${schema}.nodes n where n.partition = u.partition and n.id = u.id and n.version = u.version
      ) n`,
    values: [rows],
  })
  await run({ text: upsertItems(schema, given), values: [rows] })
}

function foldedRow({ row, facts }: Folded) {
  const { id, partition, concept, owner, version, status, created_at, first_created_at } = row
  const rest = { ...factsRow(facts), ...(facts.recall && itemRow(facts.recall)) }
  return { id, partition, concept, owner, version, status, created_at, first_created_at, ...rest }
}

async function writeEdges(run: Run, schema: string, folded: readonly Folded[]): Promise<void> {
  const edges = folded.flatMap(({ known, concept }) =>
    relationsOf(concept)
      .filter(({ indexed }) => indexed === true)
      .flatMap(({ field }) => {
        const depends = concept.dependsOn?.field === field
        return targetsIn(known.payload, field).map((target) => ({ source: known.id, field, target, depends }))
      }),
  )
  await run({
    text: `insert into ${schema}.edges (source, field, target, depends)
      select source, field, target, depends from jsonb_populate_recordset(null::${schema}.edges, $1)`,
    values: [JSON.stringify(edges)],
  })
}

async function countDependencies(run: Run, schema: string): Promise<void> {
  await run({
    text: `update ${schema}.heads h set remaining = o.count from (
        select e.source, count(*) as count from ${schema}.edges e left join ${schema}.heads d on d.id = e.target
        where e.depends and d.done is not true group by e.source
      ) o where h.id = o.source`,
    once: true,
  })
}

async function holdChildren(run: Run, { concepts, database: { schema } }: StoreContext): Promise<void> {
  for (const concept of concepts) {
    if (concept.claimable?.heldBy === undefined) continue
    // First all children with a named parent are held, because an absent parent holds them. Then those whose parent allows it are released.
    await run({
      text: `update ${schema}.heads set held = true where concept = $1 and parent is not null`,
      values: [concept.name],
      once: true,
    })
    const parents = await run<KnownRow>({
      text: `select ${nodeColumns}, 0 as first_created_at from (
          select distinct c.parent from ${schema}.heads c where c.concept = $1 and c.parent is not null
        ) p join ${schema}.heads h on h.id = p.parent
        join ${schema}.nodes n on n.partition = h.partition and n.id = h.id and n.version = h.version`,
      values: [concept.name],
      once: true,
    })
    const free = parents.filter((row) => !isHeld(concept, knownOf(row).payload)).map(({ id }) => id)
    await run({
      text: `update ${schema}.heads set held = false where concept = $1 and parent = any ($2)`,
      values: [concept.name, free],
      once: true,
    })
  }
}
