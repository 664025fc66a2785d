/** The log itself, whoever's it holds: to bring it up to date, to build anew what is derived from it, to put a backup in its place. */
import type { NodeStore } from '@agentm/nodes'
import { type FilePath, filePath } from '@agentm/vault-lock'
import { logConcepts } from './log-concepts.ts'
import { logDamage } from './log-damage.ts'
import { placeName } from './nodes-place.ts'
import { LogBehindError, openLogReader, restoreOnServer } from './open-nodes.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

export interface LogUpkeep {
  /** The file, or the server without what may be secret. */
  readonly place: string
  /** The log, brought up to date where it is an older one; `undefined` where none was ever written. */
  existing(): Promise<NodeStore | undefined>
  /** Puts a backup in the place of a file, or into an empty database; answers where a former file is now. */
  restore(from: string): Promise<{ readonly place: string; readonly keptAs?: string }>
  /** Builds anew what is derived, in a file of its own where pages are damaged. `undefined` where none was ever written. */
  rebuild(): Promise<RebuiltLog | undefined>
}

export interface RebuiltLog {
  readonly place: string
  /** Where a damaged log is now that was written anew. */
  readonly keptAs?: string
}

export async function logUpkeep(parts: WorkspaceParts): Promise<LogUpkeep> {
  const place = await parts.place()
  const named = placeName(place)
  const existing = async () => ((await isThere()) ? parts.log() : undefined)
  return {
    place: named,
    existing,
    async restore(from) {
      if (place.file === undefined) {
        if (await restoreOnServer(from, await parts.logAt(), logConcepts)) return { place: named }
        throw new ServerRestoreError(named)
      }
      const { restoreSqliteBackup } = await import('@agentm/nodes-sqlite/repair')
      return { place: place.file, ...(await restoreSqliteBackup(filePath(from), { path: place.file })) }
    },
    async rebuild() {
      if (place.file !== undefined && (await logDamage(place)).length > 0) return rebuiltFile(place.file)
      const store = await existing()
      await store?.log.rebuild()
      return store && { place: named }
    },
  }

  /** An older one is there, too. */
  async function isThere(): Promise<boolean> {
    try {
      const reader = await openLogReader(await parts.logAt(), logConcepts)
      await reader?.close()
      return reader !== undefined
    } catch (error) {
      if (error instanceof LogBehindError) return true
      throw error
    }
  }
}

async function rebuiltFile(path: FilePath): Promise<RebuiltLog> {
  const { rebuildSqliteFile } = await import('@agentm/nodes-sqlite/repair')
  const { keptAs } = await rebuildSqliteFile({ path, concepts: logConcepts })
  return { place: path, ...(keptAs !== undefined && { keptAs }) }
}

/** The log is on a server, and the package that opens it there cannot restore backups. */
export class ServerRestoreError extends Error {
  override readonly name = 'ServerRestoreError'
  readonly code = 'SERVER_RESTORE'
  constructor(place: string) {
    super(
      `the log is on a server, ${place}, and the package that opens it there cannot restore backups. Restore a backup of the server itself.`,
    )
  }
}
