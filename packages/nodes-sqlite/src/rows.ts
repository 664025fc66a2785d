/** Converts rows of the file to nodes. */
import type { Head, Node, Payload } from '@agentm/nodes'
import { CorruptNodeError, type KnownHead } from '@agentm/nodes/store-kit'
import type { Row } from './database.ts'

/** The columns of `nodes n`. */
export const nodeColumns = `n.seq, n.id, n.version, n.concept, n.owner, n.partition, n.created_by, n.created_at, n.mutation,
  n.status, n.redacted, n.payload`

const headsWithNodes = 'heads h join nodes n on n.seq = h.seq'

/**
 * The columns of `heads h join nodes n on n.seq = h.seq`. Only columns that are used, here and below, because creating the row object takes
 * longer than finding the row.
 */
export const headColumns = `${nodeColumns}, h.parent, h.remaining, h.held, h.session, h.wake_at`

export const oneHead = `select ${headColumns} from ${headsWithNodes} where h.id = ?`

const storedColumns = `n.id, n.version, n.concept, n.owner, n.partition, n.created_at, n.status, n.redacted, n.payload,
  h.key, h.first_created_at, h.recall`

export const oneStoredHead = `select ${storedColumns} from ${headsWithNodes} where h.id = ?`

/** The columns that a claim returns beside its own version. */
export const oneReadyHead = `select ${storedColumns}, h.remaining, h.held from ${headsWithNodes} where h.id = ?`

/** The whole node, and the columns that an append needs. */
export const oneWholeHead = `select ${nodeColumns}, h.key, h.first_created_at, h.recall from ${headsWithNodes} where h.id = ?`

/** What an append needs of a head: its key and the key of its recall row included. */
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
  return Object.assign(nodeOf(row), {
    parent: optionalText(row['parent']),
    remaining: Number(row['remaining']),
    held: row['held'] === 1,
    session: optionalText(row['session']),
    wakeAt: row['wake_at'] === null ? undefined : Number(row['wake_at']),
  })
}

export function storedHeadOf(row: Row): StoredHead {
  const [id, version, recall] = [String(row['id']), Number(row['version']), row['recall']]
  return {
    id,
    concept: String(row['concept']),
    version,
    owner: String(row['owner']),
    partition: String(row['partition']),
    createdAt: Number(row['created_at']),
    status: optionalText(row['status']),
    payload: payloadOf(row['payload'], id, version),
    redacted: row['redacted'] === 1,
    key: Number(row['key']),
    firstCreatedAt: Number(row['first_created_at']),
    recall: recall === null ? undefined : Number(recall),
  }
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Parses JSON that this store wrote itself. */
export function objectIn(json: unknown): Payload {
  return typeof json === 'string' ? JSON.parse(json) : {}
}

function payloadOf(json: unknown, id: string, version: number): Payload {
  try {
    const payload: unknown = JSON.parse(String(json))
    if (isObject(payload)) return payload
  } catch (error) {
    throw new CorruptNodeError(id, version, 'its payload is no JSON', { cause: error })
  }
  throw new CorruptNodeError(id, version, 'its payload is no object')
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
