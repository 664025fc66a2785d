/**
 * Claims up to k ready nodes in one transaction: the server locks the shares of the partitions furthest behind, this
 * process picks fairly among them and decides each claim, one append writes them all.
 */
import { checkOwner, claimDraft, fairPick, type Head, SessionLostError, type TakeOptions } from '@agentm/nodes'
import type { Run } from './database.ts'
import { serverNow } from './log-writer.ts'
import { headColumns, headOf, type HeadRow, headsFrom } from './node-rows.ts'
import { columns } from './pure/columns.ts'
import type { StoreParts } from './store-parts.ts'

interface ClaimableRow {
  readonly partition: string
  readonly virtual_time: number
  readonly weight: number
  readonly running: number
  readonly clock: number
  readonly id: string
}

export async function takeWork(parts: StoreParts, options: TakeOptions): Promise<readonly Head[]> {
  options.owners.forEach((owner) => checkOwner(owner))
  const concepts = options.concepts.filter((name) => parts.concepts.get(name).claimable !== undefined)
  const k = Math.floor(options.k)
  if (parts.clock.stale) await parts.writer.askClock()
  const taken = await parts.database.despiteOthers(async () =>
    parts.database.transaction(async (run) => {
      await checkSession(run, parts, options.session)
      return k > 0 && concepts.length > 0 ? claim(run, parts, { ...options, concepts, k }) : []
    }),
  )
  if (taken.length > 0) parts.wakeups.appended()
  return taken
}

async function checkSession(run: Run, { database, clock }: StoreParts, session: string): Promise<void> {
  const rows = await run({
    text: `select from ${database.schema}.sessions where id = $1 and lease_until > coalesce($2, ${serverNow})`,
    values: [session, clock.override],
  })
  if (rows.length === 0) throw new SessionLostError(session)
}

async function claim(run: Run, parts: StoreParts, options: TakeOptions): Promise<readonly Head[]> {
  const { schema } = parts.database
  const perPartition = Math.min(2 ** 31 - 1, options.perPartition ?? 4)
  const rows = await run<ClaimableRow>({
    text: `select * from ${schema}.claimable($1, $2, $3, $4, $5)`,
    values: [options.owners, options.concepts, options.partition ?? null, options.k, perPartition],
  })
  const ids = await pick(run, parts, rows, { k: options.k, perPartition })
  if (ids.length === 0) return []
  const ready = await headsOf(run, schema, ids)
  await claimAll(run, parts, { ready: ids.flatMap((id) => ready.get(id) ?? []), options })
  const taken = await headsOf(run, schema, ids)
  return ids.flatMap((id) => taken.get(id) ?? [])
}

async function pick(
  run: Run,
  { database: { schema } }: StoreParts,
  rows: readonly ClaimableRow[],
  { k, perPartition }: { readonly k: number; readonly perPartition: number },
): Promise<readonly string[]> {
  const waiting = grouped(rows)
  const queues = [...waiting].flatMap(([partition, [first, ...rest]]) =>
    first === undefined
      ? []
      : [
          {
            partition,
            ready: 1 + rest.length,
            running: first.running,
            virtualTime: first.virtual_time,
            weight: first.weight,
          },
        ],
  )
  const clock = rows[0]?.clock ?? 0
  const { picks, clock: start } = fairPick(queues, { k, perPartition, clock })
  if (picks.length === 0) return []
  await run({
    text: `update ${schema}.shares s set virtual_time = u.time, last_start = $3
      from unnest($1::text[], $2::double precision[]) as u (partition, time) where s.partition = u.partition`,
    values: [
      ...columns(
        picks,
        ({ partition }) => partition,
        ({ virtualTime }) => virtualTime,
      ),
      start,
    ],
  })
  return picks.flatMap(({ partition, count }) => (waiting.get(partition) ?? []).slice(0, count).map(({ id }) => id))
}

function grouped(rows: readonly ClaimableRow[]): Map<string, ClaimableRow[]> {
  const groups = new Map<string, ClaimableRow[]>()
  for (const row of rows) {
    const group = groups.get(row.partition)
    if (group === undefined) groups.set(row.partition, [row])
    else group.push(row)
  }
  return groups
}

/** Nodes of one owner in one append; a worker mostly serves one owner. */
async function claimAll(
  run: Run,
  { writer, concepts, clock }: StoreParts,
  { ready, options }: { readonly ready: readonly Head[]; readonly options: TakeOptions },
): Promise<void> {
  const { session, actor, durability } = options
  for (const owner of new Set(ready.map((head) => head.owner))) {
    const claims = ready
      .filter((head) => head.owner === owner)
      .map((head) => claimDraft(concepts.get(head.concept), head, { session, actor, at: clock.now() }))
    const [first] = claims
    if (first === undefined) continue
    const append = {
      ...first,
      drafts: claims.flatMap(({ drafts }) => drafts),
      expects: new Map(claims.flatMap(({ expects }) => [...expects])),
      writes: claims.flatMap(({ writes }) => writes),
      reads: [],
    }
    await writer.appendWithin(run, append, durability === 'full')
  }
}

async function headsOf(run: Run, schema: string, ids: readonly string[]): Promise<Map<string, Head>> {
  const rows = await run<HeadRow>({
    text: `select ${headColumns} from ${headsFrom(schema)} where h.id = any ($1)`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, headOf(row)]))
}
