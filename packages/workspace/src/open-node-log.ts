/** The log itself, whoever's it holds: to check it, to copy it, and to build anew what is derived from it. */
import type { NodeLog } from '@agentm/nodes'
import { readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { filePath } from '@agentm/vault-lock'
import { logConcepts } from './log-concepts.ts'
import { nodesPlace, type NodesPlace } from './nodes-place.ts'
import { LogBehindError, openLog, openLogReader } from './open-nodes.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedNodeLog {
  readonly log: Pick<NodeLog, 'check' | 'size' | 'backup' | 'rebuild'>
  /** The file, or the server. */
  readonly place: string
  close(): Promise<void>
}

/** Where the log is, whether or not there is one yet. */
export async function nodeLogPlace(given?: SelectionWorld): Promise<string> {
  const world = given ?? (await workspaceWorld())
  return placeName(nodesPlace(await readInstallConfig(world), world))
}

/** Nothing is made: `undefined` where no log was ever written. With `toWrite`, an older one is brought up to date. */
export async function openNodeLog({
  toWrite = false,
  world,
}: { readonly toWrite?: boolean; readonly world?: SelectionWorld } = {}): Promise<OpenedNodeLog | undefined> {
  const around = world ?? (await workspaceWorld())
  const place = nodesPlace(await readInstallConfig(around), around)
  const named = placeName(place)
  if (!toWrite) {
    const reader = await openLogReader(place, logConcepts)
    return reader && { log: reader.log, place: named, close: () => reader.close() }
  }
  if (!(await isLogThere(place))) return undefined
  const store = await openLog(place, logConcepts)
  return { log: store.log, place: named, close: () => store.close() }
}

/** An older one is there, too. */
async function isLogThere(place: NodesPlace): Promise<boolean> {
  try {
    const reader = await openLogReader(place, logConcepts)
    await reader?.close()
    return reader !== undefined
  } catch (error) {
    if (error instanceof LogBehindError) return true
    throw error
  }
}

/** Puts a backup in the place of the log; answers where that is, and where what was there is now. */
export async function restoreNodeLog(
  from: string,
  given?: SelectionWorld,
): Promise<{ readonly place: string; readonly keptAs?: string }> {
  const world = given ?? (await workspaceWorld())
  const place = nodesPlace(await readInstallConfig(world), world)
  if (place.file === undefined) throw new ServerRestoreError(placeName(place))
  const { restoreSqliteBackup } = await import('@agentm/nodes-sqlite/restore')
  return { place: place.file, ...(await restoreSqliteBackup(filePath(from), { path: place.file })) }
}

/** A backup of a server goes into an empty one, which is not this device's to make. */
export class ServerRestoreError extends Error {
  override readonly name = 'ServerRestoreError'
  readonly code = 'SERVER_RESTORE'
  constructor(place: string) {
    super(
      `the log is on a server, ${place}, and is not replaced from here. Restore its backup into an empty one with restorePostgresBackup of @agentm/nodes-postgres, then set nodes.url.`,
    )
  }
}

/** Of a server nothing but where it is: the rest of its URL may be secret. */
function placeName({ file, url = '' }: NodesPlace): string {
  if (file !== undefined) return file
  const { protocol, host, pathname } = URL.canParse(url)
    ? new URL(url)
    : { protocol: 'postgres:', host: '', pathname: '' }
  return `${protocol}//${host}${pathname}`
}
