/**
 * Refuses places where a database file would be damaged: network file systems have no reliable locks, sync programs copy a file during a
 * write, and a store of notes is replicated and belongs to another program.
 */
import { existsSync, realpathSync, statfsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UnsafePlaceError } from '@agentm/nodes/store-kit'
import { unsafeFileSystem, unsafeSegment } from './pure/unsafe-place.ts'

export function checkSafePlace(path: string): void {
  const place = existingParent(path)
  for (let folder = place; ; folder = dirname(folder)) {
    const why = whyUnsafe(folder)
    if (why !== undefined) throw refused(path, why)
    if (dirname(folder) === folder) break
  }
  const kind = unsafeFileSystem(statfsSync(place).type, process.platform)
  if (kind !== undefined)
    throw refused(path, `it is on a network or bridged file system (${kind}), which cannot lock it`)
}

function whyUnsafe(folder: string): string | undefined {
  const program = unsafeSegment(basename(folder), basename(dirname(folder)))
  if (program !== undefined) return `${folder} is replicated by ${program}`
  for (const [marker, program2] of markers) if (existsSync(join(folder, marker))) return `${folder} is ${program2}`
  return undefined
}

const markers = [
  ['.stfolder', 'replicated by Syncthing'],
  ['.dropbox', 'replicated by Dropbox'],
  ['.dropbox.cache', 'replicated by Dropbox'],
  ['.obsidian', 'an Obsidian vault'],
  [join('_meta', 'agentm-store.json'), 'a store of notes'],
] as const

/** The real path of the nearest existing folder, because a link into a synced folder counts as that folder. */
function existingParent(path: string): string {
  let folder = dirname(path)
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  return realpathSync(folder)
}

function refused(path: string, why: string): UnsafePlaceError {
  return new UnsafePlaceError(
    `${path} cannot hold the log, because ${why}, and a database file there would be damaged. Put the log on a local disk (nodes.url), or use PostgreSQL.`,
  )
}
