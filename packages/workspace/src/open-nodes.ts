/**
 * The node log, by one setting: a file on this device, or `postgres://…` for many machines. Notes are always indexed in the
 * local file, because an index is this device's own; with the default they share it with the log.
 */
import { nodeReadings } from '@agentm/memory/reader'
import type { Concept, NodeStore } from '@agentm/nodes'
import type { openSqliteStore } from '@agentm/nodes-sqlite'
import type { NodesPlace } from './nodes-place.ts'

/** This device's own file: notes, and the log where that is not on a server. Notes need no more of the log than to read it. */
export async function openLocalIndex(path: NodesPlace['localFile']): ReturnType<typeof openSqliteStore> {
  const sqlite = await import('@agentm/nodes-sqlite')
  return sqlite.openSqliteStore({ path, concepts: nodeReadings })
}

/** The log for whoever only looks: nothing is made, and no server migrated. `undefined` where there is no log yet. */
export async function openLogReader(place: NodesPlace, concepts: readonly Concept[]): Promise<NodeStore | undefined> {
  if (place.url !== undefined) return openServerToRead(place.url, concepts)
  const { openSqliteReader } = await import('@agentm/nodes-sqlite')
  return openSqliteReader({ path: place.localFile, concepts })
}

async function openServerToRead(url: string, concepts: readonly Concept[]): Promise<NodeStore | undefined> {
  try {
    return await openServer(url, concepts, { migrate: false })
  } catch (error) {
    if (!isBehind(error)) throw error
    if (error.found === 0) return undefined
    throw new LogBehindError(error.server, error)
  }
}

/** The package is loaded by name only, so its class is not to be had here. */
function isBehind(
  error: unknown,
): error is Error & { readonly found: number; readonly known: number; readonly server: string } {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'SCHEMA_ABSENT') return false
  return 'found' in error && typeof error.found === 'number' && 'known' in error && 'server' in error
}

/** Tables that others may be using are changed on purpose only. */
export class LogBehindError extends Error {
  override readonly name = 'LogBehindError'
  readonly code = 'LOG_BEHIND'
  constructor(server: string, { found, known }: { readonly found: number; readonly known: number }) {
    super(
      `the log at ${server} is at version ${found}, and this agentm needs version ${known}. Looking changes nothing: agentm log migrate brings it up to date. Programs of an older version refuse it from then on.`,
    )
  }
}

interface ServerOptions {
  readonly connections?: number
  readonly migrate?: boolean
}

/** The configured log needs a package that is not installed. */
export class NodesPackageAbsentError extends Error {
  override readonly name = 'NodesPackageAbsentError'
  readonly code = 'NODES_PACKAGE_ABSENT'
  constructor(cause: unknown) {
    super(
      'the log is on PostgreSQL, and @agentm/nodes-postgres is not installed. Install it beside agentm, or unset nodes.url.',
      {
        cause,
      },
    )
  }
}

/** The log by itself, to write. */
export async function openLog(
  { url, localFile }: NodesPlace,
  concepts: readonly Concept[],
  options: ServerOptions = {},
): Promise<NodeStore> {
  if (url !== undefined) return openServer(url, concepts, options)
  const { openSqliteStore } = await import('@agentm/nodes-sqlite')
  return openSqliteStore({ path: localFile, concepts })
}

async function openServer(url: string, concepts: readonly Concept[], options: ServerOptions = {}): Promise<NodeStore> {
  const { openPostgresStore } = await import('@agentm/nodes-postgres').catch((error: unknown) => {
    if ((error as { code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND') throw new NodesPackageAbsentError(error)
    throw error
  })
  return openPostgresStore({ url, concepts, ...options })
}
