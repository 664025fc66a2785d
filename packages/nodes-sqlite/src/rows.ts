/** Rows of the file as nodes. */
import { CorruptNodeError, type Head, type KnownHead, type Node, type Payload } from '@agentm/nodes'
import type { Row } from './database.ts'

/** For `nodes n`. */
export const nodeColumns = `n.seq, n.id, n.version, n.concept, n.owner, n.partition, n.created_by, n.created_at, n.mutation,
  n.status, n.redacted, n.payload`

/** For `heads h join nodes n on n.seq = h.seq`. */
export const headColumns = `${nodeColumns}, h.key, h.first_created_at, h.parent, h.remaining, h.held, h.ready, h.running, h.session,
  h.wake_at, h.recall`

export const oneHead = `select ${headColumns} from heads h join nodes n on n.seq = h.seq where h.id = ?`

/** What an append has to know of a head, its number, and the key of its recall row. */
export interface StoredHead extends KnownHead {
  /** The sequence number of the first version. */
  readonly key: number
  readonly recall: number | undefined
}

export function nodeOf(row: Row): Node {
  const [id, version] = [String(row['id']), Number(row['version'])]
  return {
    id,
    concept: String(row['concept']),
    version,
    seq: Number(row['seq']),
    owner: String(row['owner']),
    partition: String(row['partition']),
    createdBy: String(row['created_by']),
    createdAt: Number(row['created_at']),
    provenanceMutation: String(row['mutation']),
    status: optionalText(row['status']),
    payload: payloadOf(row['payload'], id, version),
    redacted: row['redacted'] === 1,
  }
}

export function headOf(row: Row): Head {
  return {
    ...nodeOf(row),
    parent: optionalText(row['parent']),
    remaining: Number(row['remaining']),
    held: row['held'] === 1,
    session: optionalText(row['session']),
    wakeAt: row['wake_at'] === null ? undefined : Number(row['wake_at']),
  }
}

export function storedHeadOf(row: Row): StoredHead {
  return storedHead(nodeOf(row), row)
}

export function storedHead(node: Node, { key, first_created_at: first, recall }: Row): StoredHead {
  return {
    ...node,
    key: Number(key),
    firstCreatedAt: Number(first),
    recall: recall === null ? undefined : Number(recall),
  }
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** JSON that this store wrote for itself. */
export function objectIn(json: unknown): Payload {
  return typeof json === 'string' ? JSON.parse(json) : {}
}

function payloadOf(json: unknown, id: string, version: number): Payload {
  try {
    const payload: unknown = JSON.parse(String(json))
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) return { ...payload }
  } catch (error) {
    throw new CorruptNodeError(id, version, 'its payload is no JSON', { cause: error })
  }
  throw new CorruptNodeError(id, version, 'its payload is no object')
}
