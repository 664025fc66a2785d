/**
 * Claims up to k ready nodes in one transaction: the server locks the shares of the partitions furthest behind, this
 * process picks fairly among them and decides each claim, one append writes them all.
 */
import {
  fairPick,
  foldFacts,
  type Head,
  type KnownHead,
  type Node,
  SessionLostError,
  type TakeOptions,
} from '@agentm/nodes'
import type { AheadRow } from './ahead.ts'
import type { Run, Statement } from './database.ts'
import { claimAppend } from './claim-append.ts'
import { serverNow } from './log-writer.ts'
import { headOf } from './node-rows.ts'
import { columns } from './pure/columns.ts'
import type { StoreParts } from './store-parts.ts'

interface ClaimableRow extends AheadRow {
  readonly share: string | null
  readonly virtual_time: number
  readonly weight: number
  readonly busy: number
  readonly clock: number
}

interface Picked {
  readonly rows: readonly ClaimableRow[]
  /** The shares of the partitions after the pick, to be written with the claims. */
  readonly shares: (from: number) => Statement
}

export interface Claimed {
  readonly head: Head
  readonly known: KnownHead
}

/** Every number of partitions, and nothing known beforehand. */
export async function takeFairly(parts: StoreParts, options: TakeOptions): Promise<readonly Claimed[]> {
  return parts.database.transaction(async (run) => claim(run, parts, options))
}

async function claim(run: Run, parts: StoreParts, options: TakeOptions): Promise<readonly Claimed[]> {
  const { schema } = parts.database
  const perPartition = Math.min(2 ** 31 - 1, options.perPartition ?? 4)
  const rows = await run<ClaimableRow>({
    text: `select * from ${schema}.claimable($1, coalesce($2, ${serverNow}), $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      options.session,
      parts.clock.override,
      options.owners,
      options.concepts,
      options.partition ?? null,
      options.k,
      perPartition,
      options.parents ?? null,
      options.kinds ?? null,
      ...kindsOf(parts.concepts, options.concepts),
    ],
  })
  if (rows[0]?.share === null) throw new SessionLostError(options.session)
  const picked = pick(parts, rows, { k: options.k, perPartition })
  return picked === undefined ? [] : claimAll(run, parts, { picked, options })
}

/** Where each concept says of which kind it is, and what holds where it does not. */
export function kindsOf(concepts: StoreParts['concepts'], names: readonly string[]): ReturnType<typeof columns> {
  const kinds = names.map((name) => concepts.get(name).claimable?.kind)
  return columns(kinds, ['text', (kind) => kind?.field ?? null], ['text', (kind) => kind?.otherwise ?? null])
}

function pick(
  { database: { schema } }: StoreParts,
  rows: readonly ClaimableRow[],
  { k, perPartition }: { readonly k: number; readonly perPartition: number },
): Picked | undefined {
  const waiting = grouped(rows)
  const queues = [...waiting].flatMap(([partition, [first, ...rest]]) =>
    first === undefined
      ? []
      : [
          {
            partition,
            ready: 1 + rest.length,
            running: first.busy,
            virtualTime: first.virtual_time,
            weight: first.weight,
          },
        ],
  )
  const clock = rows[0]?.clock ?? 0
  const { picks, clock: start } = fairPick(queues, { k, perPartition, clock })
  if (picks.length === 0) return undefined
  const times = columns(picks, ['text', ({ partition }) => partition], ['float8', ({ virtualTime }) => virtualTime])
  return {
    rows: picks.flatMap(({ partition, count }) => (waiting.get(partition) ?? []).slice(0, count)),
    shares: (from) => ({
      text: `update ${schema}.shares s set virtual_time = u.time, last_start = $${from + 3}::double precision
        from unnest($${from + 1}::text[], $${from + 2}::double precision[]) as u (partition, time)
        where s.partition = u.partition`,
      values: [...times, start],
    }),
  }
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
  parts: StoreParts,
  { picked, options }: { readonly picked: Picked; readonly options: TakeOptions },
): Promise<readonly Claimed[]> {
  const nodes = new Map<string, Node>()
  let also: Picked['shares'] | undefined = picked.shares
  for (const owner of new Set(picked.rows.map((row) => row.owner))) {
    const rows = picked.rows.filter((row) => row.owner === owner)
    const claims = claimAppend(parts, rows, options)
    if (claims === undefined) continue
    const { append, known, full } = claims
    const written = await parts.writer.appendKnown(run, append, { known, full, ...(also && { also }) })
    also = undefined
    for (const node of written) nodes.set(node.id, node)
  }
  return picked.rows.map((row) => claimedOf(row, nodes.get(row.id), parts.concepts))
}

/** The head as the claim left it: what a claim changes of it follows from the version it made. */
export function claimedOf(row: AheadRow, node: Node | undefined, concepts: StoreParts['concepts']): Claimed {
  if (node === undefined) throw new TypeError(`${row.id} was claimed and not written`)
  const firstCreatedAt = row.first_created_at
  const { session, wakeAt } = foldFacts(concepts.get(row.concept), { ...node, firstCreatedAt })
  const { seq: _seq, createdBy: _by, provenanceMutation: _mutation, ...known } = node
  return { head: { ...headOf(row), ...node, session, wakeAt }, known: { ...known, firstCreatedAt } }
}
