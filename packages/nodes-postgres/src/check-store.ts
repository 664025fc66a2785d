/** Checks for damage, and heads against their log, in one snapshot. Changes nothing. */
import { type CheckReport, isNodesError } from '@agentm/nodes'
import { foldFacts, isHeld, type KnownHead, relationsOf, targetsIn } from '@agentm/nodes/store-kit'
import type { Run } from './database.ts'
import { headsFrom, knownOf, type KnownRow, nodeColumns } from './rows.ts'
import { whole } from './pure/append-call.ts'
import type { StoreContext } from './store-context.ts'

interface CheckedRow extends KnownRow {
  readonly parent: string | null
  readonly ready: boolean
  readonly running: boolean
  readonly done: boolean
  readonly session: string | null
  readonly wake_at: number | null
  readonly rank: number | null
  readonly gate: string | null
  readonly remaining: number
  readonly held: boolean
  readonly open: number
  readonly found_text: string | null
  readonly found_active: boolean | null
}

const pageSize = 1000
const mostProblems = 100

export async function checkStore(context: StoreContext): Promise<CheckReport> {
  return context.database.transaction(
    async (run) => {
      const problems = [...(await brokenChains(run, context)), ...(await strayRows(run, context))]
      let heads = 0
      for (let after: string | undefined = ''; after !== undefined;) {
        const page: readonly CheckedRow[] = await headPage(run, context, after)
        heads += page.length
        problems.push(...(await foldProblems(run, context, page)))
        after = page.length < pageSize ? undefined : page.at(-1)?.id
      }
      const [row] = await run<{ versions: number }>({
        text: `select count(*) as versions from ${context.database.schema}.nodes`,
      })
      return {
        ok: problems.length === 0,
        problems: problems.slice(0, mostProblems),
        versions: row?.versions ?? 0,
        heads,
      }
    },
    { mode: 'repeatable read read only', unlimited: true },
  )
}

/** Finds chains that break a rule: versions of one id increase by one, its head names the last, and all have one owner and partition. */
async function brokenChains(run: Run, { database: { schema } }: StoreContext): Promise<readonly string[]> {
  const rows = await run<{ id: string }>({
    text: `select n.id from (
        select id, min(version) as first, max(version) as last, count(*) as count, max(seq) as seq, min(partition) as p1,
          max(partition) as p2, min(owner) as o1, max(owner) as o2
        from ${schema}.nodes group by id
      ) n left join ${schema}.heads h on h.id = n.id
      where n.first <> 1 or n.last <> n.count or h.id is null or h.version <> n.last or h.seq <> n.seq
        or n.p1 <> n.p2 or n.o1 <> n.o2 or h.owner <> n.o1 or h.partition <> n.p1
      order by n.id limit ${mostProblems}`,
  })
  return rows.map(({ id }) => `the versions of ${id} and its head do not belong together`)
}

async function strayRows(run: Run, { database: { schema } }: StoreContext): Promise<readonly string[]> {
  const rows = await run<{ what: string }>({
    text: `select 'head ' || h.id || ' has no versions' as what from ${schema}.heads h
        where not exists (select from ${schema}.nodes n where n.partition = h.partition and n.id = h.id)
      union all
      select 'recall keeps ' || i.id || ' at version ' || i.version || ', which is not there' from ${schema}.items i
        left join ${schema}.heads h on h.id = i.id where coalesce(h.version, 0) < i.version
      limit ${mostProblems}`,
  })
  return rows.map(({ what }) => what)
}

async function headPage(
  run: Run,
  { database: { schema } }: StoreContext,
  after: string,
): Promise<readonly CheckedRow[]> {
  return run<CheckedRow>({
    text: `select ${nodeColumns}, h.first_created_at, h.parent, h.ready, h.running, h.done, h.session, h.wake_at,
        h.rank, h.gate, h.remaining, h.held, i.text as found_text, i.active as found_active, (
          select count(*) from ${schema}.edges e left join ${schema}.heads d on d.id = e.target
          where e.source = h.id and e.depends and d.done is not true
        ) as open
      from ${headsFrom(schema)} left join ${schema}.items i on i.owner = h.owner and i.id = h.id
      where h.id > $1 order by h.id limit ${pageSize}`,
    values: [after],
  })
}

async function foldProblems(run: Run, context: StoreContext, page: readonly CheckedRow[]): Promise<readonly string[]> {
  const parents = await parentsOf(run, context, page)
  const edges = await edgesOf(run, context, page)
  return page.flatMap((row) => {
    const different = differences(context, row, { parents, edges })
    return different.length === 0 ? [] : [`the head of ${row.id} is not the fold of its log: ${different.join(', ')}`]
  })
}

function differences(
  { concepts }: StoreContext,
  row: CheckedRow,
  around: { readonly parents: ReadonlyMap<string, KnownHead>; readonly edges: ReadonlySet<string> },
): readonly string[] {
  const concept = concepts.find(row.concept)
  if (concept === undefined) return []
  let known: KnownHead
  try {
    known = knownOf(row)
  } catch (error) {
    if (isNodesError(error, 'CORRUPT_NODE')) return [error.message]
    throw error
  }
  const facts = foldFacts(concept, known)
  const parent = facts.parent === undefined ? undefined : around.parents.get(facts.parent)
  const indexed = relationsOf(concept).filter((relation) => relation.indexed === true)
  const edgesThere = indexed.every(({ field }) =>
    targetsIn(known.payload, field).every((target) => around.edges.has(edgeName(row.id, field, target))),
  )
  const same: Readonly<Record<string, boolean>> = {
    parent: (facts.parent ?? null) === row.parent,
    ready: facts.ready === row.ready,
    running: facts.running === row.running,
    done: facts.done === row.done,
    session: (facts.session ?? null) === row.session,
    wakeAt: (whole(facts.wakeAt) ?? null) === row.wake_at,
    rank: (whole(facts.rank) ?? null) === row.rank,
    gate: (facts.gate ?? null) === row.gate,
    held: (facts.parent !== undefined && isHeld(concept, parent?.payload)) === row.held,
    remaining: row.open === row.remaining,
    edges: edgesThere,
    recall: (facts.recall?.text ?? null) === row.found_text && (facts.recall?.active ?? null) === row.found_active,
  }
  return Object.keys(same).filter((name) => same[name] !== true)
}

async function parentsOf(run: Run, { database: { schema } }: StoreContext, page: readonly CheckedRow[]) {
  const ids = [...new Set(page.flatMap(({ parent }) => (parent === null ? [] : [parent])))]
  const rows = await run<KnownRow>({
    text: `select ${nodeColumns}, h.first_created_at from ${headsFrom(schema)} where h.id = any ($1)`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, knownOf(row)]))
}

async function edgesOf(run: Run, { database: { schema } }: StoreContext, page: readonly CheckedRow[]) {
  const rows = await run<{ source: string; field: string; target: string }>({
    text: `select source, field, target from ${schema}.edges where source = any ($1)`,
    values: [page.map(({ id }) => id)],
  })
  return new Set(rows.map(({ source, field, target }) => edgeName(source, field, target)))
}

function edgeName(source: string, field: string, target: string): string {
  return JSON.stringify([source, field, target])
}
