/**
 * The node log, by one setting: a file on this device, or a URL, which a plugin opens: ours for `postgres://…`, else one of the
 * user's. The index of notes has a file of its own on this device, because it is derived and the log is not.
 */
import { planReadings } from '@agentm/harness/readings'
import { nodeReadings } from '@agentm/memory/reader'
import type { Concept, NodeStore } from '@agentm/nodes'
import type { LogPlace, LogPlugin } from '@agentm/nodes/store-kit'
import type { openSqliteStore } from '@agentm/nodes-sqlite'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import type { FoundLogPlugin } from './find-log-plugin.ts'
import type { FilePath } from '@agentm/vault-lock'
import { type NodesPlace, placeName, postgresProtocols, protocolOf } from './nodes-place.ts'

/** Where the log is, and the plugin that opens it unless that is one of ours. Plain data, which a thread can be given. */
export interface LogAt extends NodesPlace {
  readonly plugin?: FoundLogPlugin
}

/** The log in a file, opened without the schemas that appends need. */
export async function openLocalLog(path: FilePath): ReturnType<typeof openSqliteStore> {
  const sqlite = await import('@agentm/nodes-sqlite')
  return sqlite.openSqliteStore({ path, concepts: [...nodeReadings, ...planReadings] })
}

export async function locateLog(
  place: NodesPlace,
  { config, world }: { readonly config: InstallConfig; readonly world: SelectionWorld },
): Promise<LogAt> {
  const protocol = place.url === undefined ? undefined : protocolOf(place.url)
  if (protocol === undefined) return place
  const isOurs = postgresProtocols.includes(protocol)
  const absent = isOurs ? await postgresPlugin().then(() => undefined, unlessAbsent) : undefined
  if (isOurs && absent === undefined) return place
  const { findLogPlugin, unknownProtocol } = await import('./find-log-plugin.ts')
  const question = { protocol, config, world }
  const plugin = await findLogPlugin(question)
  if (plugin !== undefined) return { ...place, plugin }
  throw absent ?? (await unknownProtocol(question, placeName(place)))
}

/** The log for whoever only looks: nothing is made, and no server migrated. `undefined` where there is no log yet. */
export async function openLogReader(
  at: LogAt,
  concepts: readonly Concept[],
  options: ServerOptions = {},
): Promise<NodeStore | undefined> {
  if (at.file !== undefined) {
    const { openSqliteReader } = await import('@agentm/nodes-sqlite')
    return openSqliteReader({ path: at.file, concepts })
  }
  try {
    return await openByPlugin(at, (plugin, known) => plugin.openReader({ ...known, concepts, ...options }))
  } catch (error) {
    throw isBehind(error) ? new LogBehindError(error.server, error) : error
  }
}

/** The package is loaded by name only, so its class is not to be had here. */
function isBehind(
  error: unknown,
): error is Error & { readonly found: number; readonly known: number; readonly server: string } {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'SCHEMA_ABSENT') return false
  return 'found' in error && typeof error.found === 'number' && 'known' in error && 'server' in error
}

/** The tables on the server are of an older version. They are upgraded only on purpose, because others may be using them. */
export class LogBehindError extends Error {
  override readonly name = 'LogBehindError'
  readonly code = 'LOG_BEHIND'
  constructor(server: string, { found, known }: { readonly found: number; readonly known: number }) {
    super(
      `the log at ${server} has version ${found}, but this agentm needs version ${known}. To upgrade it: agentm log migrate. After that, older versions of agentm can no longer open it.`,
    )
  }
}

type ServerOptions = Pick<LogPlace, 'connections' | 'patienceMs'>

/** The configured log needs a package that is not installed. */
export class NodesPackageAbsentError extends Error {
  override readonly name = 'NodesPackageAbsentError'
  readonly code = 'NODES_PACKAGE_ABSENT'
  constructor(cause: unknown) {
    super(
      'the log is on PostgreSQL, but the package @agentm/nodes-postgres is not installed. Install it (npm install --prefix ~/.claude @agentm/nodes-postgres), or unset nodes.url.',
      {
        cause,
      },
    )
  }
}

/** The log alone, for writing. */
export async function openLog(
  at: LogAt,
  concepts: readonly Concept[],
  options: ServerOptions = {},
): Promise<NodeStore> {
  if (at.file === undefined) return openByPlugin(at, (plugin, known) => plugin.open({ ...known, concepts, ...options }))
  const { openSqliteStore } = await import('@agentm/nodes-sqlite')
  return openSqliteStore({ path: at.file, concepts })
}

/** Fills the empty log on a server from a backup. Answers whether the plugin of that log can do that. */
export async function restoreOnServer(from: string, at: LogAt, concepts: readonly Concept[]): Promise<boolean> {
  const restore = async (plugin: LogPlugin, settings: LogPlace['settings']) => {
    if (plugin.restore === undefined) return false
    await plugin.restore(from, { url: at.url ?? '', settings, concepts })
    return true
  }
  if (at.plugin === undefined) return restore(await postgresPlugin(), {})
  const { useFound } = await import('./find-log-plugin.ts')
  return useFound(at.plugin, { what: `restore the log at ${placeName(at)}`, use: restore })
}

async function openByPlugin<S extends NodeStore | undefined>(
  at: LogAt,
  open: (plugin: LogPlugin, known: Pick<LogPlace, 'url' | 'settings'>) => Promise<S>,
): Promise<S> {
  const url = at.url ?? ''
  if (at.plugin === undefined) return open(await postgresPlugin(), { url, settings: {} })
  const { openFound } = await import('./find-log-plugin.ts')
  return openFound(at.plugin, { at: placeName(at), open: (plugin, settings) => open(plugin, { url, settings }) })
}

async function postgresPlugin(): Promise<LogPlugin> {
  return (await import('@agentm/nodes-postgres/plugin')).plugin
}

function unlessAbsent(error: unknown): NodesPackageAbsentError {
  if ((error as { code?: unknown } | null)?.code === 'ERR_MODULE_NOT_FOUND') return new NodesPackageAbsentError(error)
  throw error
}
