/**
 * Drops heads, edges and what recall keeps of nodes, and folds them from the log again, in one transaction that keeps
 * writers out. Vectors stay with texts that are the same; notes, sessions and weights are left alone.
 */
import { type Concept, foldFacts, isHeld, type KnownHead, relationsOf, targetsIn } from '@agentm/nodes'
import type { Run } from './database.ts'
import { knownOf, type KnownRow, nodeColumns } from './node-rows.ts'
import { whole } from './pure/append-arguments.ts'
import { columns } from './pure/columns.ts'
import { lexemes } from './pure/lexemes.ts'
import { dropSegments } from './segment-packer.ts'
import type { StoreParts } from './store-parts.ts'

const pageSize = 1000

interface Folded {
  readonly row: KnownRow
  readonly known: KnownHead
  readonly concept: Concept
  readonly facts: ReturnType<typeof foldFacts>
}

export async function rebuildStore(parts: StoreParts): Promise<void> {
  const { schema } = parts.database
  await parts.database.transaction(
    async (run) => {
      await run({ text: `lock table ${schema}.nodes, ${schema}.heads, ${schema}.edges in exclusive mode`, once: true })
      await dropSegments(run, schema)
      await run({ text: `delete from ${schema}.edges`, once: true })
      await run({ text: `delete from ${schema}.heads`, once: true })
      await run({ text: `create temporary table found (id text collate "C" primary key) on commit drop`, once: true })
      for (let after: string | undefined = ''; after !== undefined;) {
        const page: readonly KnownRow[] = await newestPage(run, schema, after)
        await writePage(run, parts, page)
        after = page.length < pageSize ? undefined : page.at(-1)?.id
      }
      await countDependencies(run, schema)
      await holdChildren(run, parts)
      await run({
        text: `delete from ${schema}.items i where i.version is not null and not exists (select from found f where f.id = i.id)`,
        once: true,
      })
    },
    { unlimited: true },
  )
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

async function writePage(run: Run, parts: StoreParts, page: readonly KnownRow[]): Promise<void> {
  const folded = page.map((row): Folded => {
    const concept = parts.concepts.get(row.concept)
    const known = knownOf(row)
    return { row, known, concept, facts: foldFacts(concept, known) }
  })
  await writeHeads(run, parts.database.schema, folded)
  await writeEdges(run, parts.database.schema, folded)
  await writeItems(run, parts.database.schema, folded)
}

async function writeHeads(run: Run, schema: string, folded: readonly Folded[]): Promise<void> {
  await run({
    text: `insert into ${schema}.heads
        (id, partition, concept, owner, version, seq, status, created_at, first_created_at, parent, ready, running, done,
         session, wake_at, remaining, held)
      select *, 0, false from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::bigint[],
        $7::text[], $8::bigint[], $9::bigint[], $10::text[], $11::boolean[], $12::boolean[], $13::boolean[], $14::text[],
        $15::bigint[])`,
    values: columns(
      folded,
      ['text', ({ row }) => row.id],
      ['text', ({ row }) => row.partition],
      ['text', ({ row }) => row.concept],
      ['text', ({ row }) => row.owner],
      ['integer', ({ row }) => row.version],
      ['bigint', ({ row }) => row.seq],
      ['text', ({ row }) => row.status],
      ['bigint', ({ row }) => row.created_at],
      ['bigint', ({ row }) => row.first_created_at],
      ['text', ({ facts }) => facts.parent],
      ['boolean', ({ facts }) => facts.ready],
      ['boolean', ({ facts }) => facts.running],
      ['boolean', ({ facts }) => facts.done],
      ['text', ({ facts }) => facts.session],
      ['bigint', ({ facts }) => whole(facts.wakeAt)],
    ),
  })
}

async function writeEdges(run: Run, schema: string, folded: readonly Folded[]): Promise<void> {
  const edges = folded.flatMap(({ known, concept }) =>
    relationsOf(concept)
      .filter(({ indexed }) => indexed === true)
      .flatMap(({ field }) =>
        targetsIn(known.payload, field).map((target) => ({
          source: known.id,
          field,
          target,
          depends: concept.dependsOn?.field === field,
        })),
      ),
  )
  await run({
    text: `insert into ${schema}.edges (source, field, target, depends)
      select * from unnest($1::text[], $2::text[], $3::text[], $4::boolean[])`,
    values: columns(
      edges,
      ['text', ({ source }) => source],
      ['text', ({ field }) => field],
      ['text', ({ target }) => target],
      ['boolean', ({ depends }) => depends],
    ),
  })
}

async function writeItems(run: Run, schema: string, folded: readonly Folded[]): Promise<void> {
  const found = folded.flatMap(({ row, facts: { recall } }) => (recall === undefined ? [] : [{ row, recall }]))
  if (found.length === 0) return
  await run({
    text: `insert into found select unnest($1::text[])`,
    values: [found.map(({ row }) => row.id)],
    once: true,
  })
  await run({
    text: `insert into ${schema}.items
        (id, owner, partition, concept, source, status, active, created_at, ages_from, text, lexemes, version)
      select id, owner, partition, concept, id, status, active, created_at, ages, text, lexemes::tsvector, version
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::bigint[], $8::bigint[],
        $9::text[], $10::text[], $11::integer[])
        as u (id, owner, partition, concept, status, active, created_at, ages, text, lexemes, version)
      on conflict (owner, id) do update set
        partition = excluded.partition, concept = excluded.concept, source = excluded.source, status = excluded.status,
        active = excluded.active, created_at = excluded.created_at, ages_from = excluded.ages_from, text = excluded.text,
        lexemes = excluded.lexemes, version = excluded.version,
        embedder = case when items.text = excluded.text then items.embedder end,
        revision = case when items.text = excluded.text then items.revision else excluded.revision end,
        changed_in = pg_current_xact_id()`,
    values: columns(
      found,
      ['text', ({ row }) => row.id],
      ['text', ({ row }) => row.owner],
      ['text', ({ row }) => row.partition],
      ['text', ({ row }) => row.concept],
      ['text', ({ row }) => row.status],
      ['boolean', ({ recall }) => recall.active],
      ['bigint', ({ row }) => row.created_at],
      ['bigint', ({ recall }) => whole(recall.agesFrom)],
      ['text', ({ recall }) => recall.text],
      ['text', ({ recall }) => lexemes(recall.text)],
      ['integer', ({ row }) => row.version],
    ),
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

async function holdChildren(run: Run, { concepts, database: { schema } }: StoreParts): Promise<void> {
  for (const concept of concepts) {
    if (concept.claimable?.heldBy === undefined) continue
    // A parent that is named and not there holds its children; then those are freed whose parent lets them go.
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
