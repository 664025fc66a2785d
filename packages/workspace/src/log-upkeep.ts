/** Maintenance of the log of all owners: upgrade it, rebuild its derived data, or restore a backup. */
import type { Concept, NodeStore } from '@agentm/nodes'
import { type FilePath, filePath } from '@agentm/vault-lock'
import { logConcepts } from './log-concepts.ts'
import { logDamage } from './log-damage.ts'
import { placeName } from './nodes-place.ts'
import { LogBehindError, openLogReader, restoreOnServer } from './open-nodes.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

export interface LogUpkeep {
  /** The file, or the server without what may be secret. */
  readonly place: string
  /** The concepts of everything in it. */
  readonly concepts: readonly Concept[]
  /** The log, upgraded if it is of an older version; `undefined` if there is no log. */
  existing(): Promise<NodeStore | undefined>
  /** Restores a backup in place of a log file, or into an empty database. Returns where the previous file is now. */
  restore(from: string): Promise<{ readonly place: string; readonly keptAs?: string }>
  /** Rebuilds derived data, in a new file if pages are damaged. `undefined` if there is no log. */
  rebuild(onProgress?: (done: number, total: number) => void): Promise<RebuiltLog | undefined>
}

export interface RebuiltLog {
  readonly place: string
  /** Where the damaged log is now, if it was rewritten. */
  readonly keptAs?: string
}

export async function logUpkeep(parts: WorkspaceParts): Promise<LogUpkeep> {
  const place = await parts.place()
  const named = placeName(place)
  const existing = async () => ((await isThere()) ? parts.log() : undefined)
  return {
    place: named,
    concepts: logConcepts,
    existing,
    async restore(from) {
      if (place.file === undefined) {
        if (await restoreOnServer(from, await parts.logAt(), logConcepts)) return { place: named }
        throw new ServerRestoreError(named)
      }
      const { restoreSqliteBackup } = await import('@agentm/nodes-sqlite/repair')
      return { place: place.file, ...(await restoreSqliteBackup(filePath(from), { path: place.file })) }
    },
    async rebuild(onProgress) {
      if (place.file !== undefined && (await logDamage(place)).length > 0) return rebuiltFile(place.file, onProgress)
      const store = await existing()
      await store?.log.rebuild(onProgress === undefined ? {} : { onProgress })
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

async function rebuiltFile(path: FilePath, onProgress?: (done: number, total: number) => void): Promise<RebuiltLog> {
  const { rebuildSqliteFile } = await import('@agentm/nodes-sqlite/repair')
  const { keptAs } = await rebuildSqliteFile({ path, concepts: logConcepts, onProgress })
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
