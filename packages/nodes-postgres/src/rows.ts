/** Converts rows of the server to nodes. A payload that cannot be read is reported and never skipped. */
import type { FeedEvent, Head, Node, Payload } from '@agentm/nodes'
import { CorruptNodeError, feedEvent, type KnownHead } from '@agentm/nodes/store-kit'

export interface NodeRow {
  readonly id: string
  readonly concept: string
  readonly version: number
  readonly seq: number
  readonly owner: string
  readonly partition: string
  readonly created_by: string
  readonly created_at: number
  readonly mutation: string
  readonly status: string | null
  readonly old_status: string | null
  readonly payload: string
  readonly redacted: boolean
}

export interface HeadRow extends NodeRow {
  readonly parent: string | null
  readonly remaining: number
  readonly held: boolean
  readonly session: string | null
  readonly wake_at: number | null
}

export interface KnownRow extends NodeRow {
  readonly first_created_at: number
}

export type KnownHeadRow = HeadRow & KnownRow

export const nodeColumns =
  'n.id, n.concept, n.version, n.seq, n.owner, n.partition, n.created_by, n.created_at, n.mutation, n.status, n.old_status, n.payload, n.redacted'

export const headColumns = `${nodeColumns}, h.parent, h.remaining, h.held, h.session, h.wake_at`

/**
 * Heads with their newest version, for a `where` over `h`. `offset 0` makes the server look versions up one by one, because a plan made
 * while the tables were small would read the whole log for a few heads.
 */
export function headsFrom(schema: string): string {
  return `${schema}.heads h ${newestVersion(schema)}`
}

export function newestVersion(schema: string): string {
  return `cross join lateral (
      select * from ${schema}.nodes v where v.partition = h.partition and v.id = h.id and v.version = h.version offset 0
    ) n`
}

/**
 * The owner as a condition that is checked and not searched by, for queries by id, edge or parent. For an owner that is new in its
 * statistics the server expects no rows, and would read all heads of that owner.
 */
export const ownerChecked = `h.owner || ''`

export function nodeOf(row: NodeRow): Node {
  return {
    id: row.id,
    concept: row.concept,
    version: row.version,
    seq: row.seq,
    owner: row.owner,
    partition: row.partition,
    createdBy: row.created_by,
    createdAt: row.created_at,
    provenanceMutation: row.mutation,
    status: row.status ?? undefined,
    payload: payloadOf(row),
    redacted: row.redacted,
  }
}

export function headOf(row: HeadRow): Head {
  return {
    ...nodeOf(row),
    parent: row.parent ?? undefined,
    remaining: row.remaining,
    held: row.held,
    session: row.session ?? undefined,
    wakeAt: row.wake_at ?? undefined,
  }
}

export function knownOf(row: KnownRow): KnownHead {
  return knownFrom(nodeOf(row), row.first_created_at)
}

export function knownFrom(node: Node, firstCreatedAt: number): KnownHead {
  const { id, concept, version, owner, partition, createdAt, status, payload, redacted } = node
  return { id, concept, version, owner, partition, createdAt, status, payload, redacted, firstCreatedAt }
}

export function eventOf(row: NodeRow): FeedEvent {
  return feedEvent(nodeOf(row), row.old_status ?? undefined)
}

function payloadOf({ id, version, payload }: Pick<NodeRow, 'id' | 'version' | 'payload'>): Payload {
  let parsed: unknown
  try {
    parsed = JSON.parse(payload)
  } catch (error) {
    throw new CorruptNodeError(id, version, 'its payload is no JSON', { cause: error })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new CorruptNodeError(id, version, 'its payload is no object')
  return parsed as Payload
}
