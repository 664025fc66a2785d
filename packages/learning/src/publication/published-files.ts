/** The files in this device's directory of beliefs, for one owner. */
import { contentHash, isSeamError, type Locator } from '@agentm/storage-seam'
import { beliefsHome, exclusionOf, parseNote, readFrontmatter, statementIn, textField } from '@agentm/memory/notes'
import type { FoundFile } from './pure/belief-sync.ts'
import type { Publication } from './publication.ts'

export interface PublishedFile extends FoundFile {
  readonly at: Locator
  readonly text: string
}

export interface PublishedFiles {
  /** The files, by belief. */
  readonly files: ReadonlyMap<string, PublishedFile>
  /** Keys of files that exist but cannot be read now. They are left unchanged. */
  readonly unreadable: ReadonlySet<string>
}

export async function publishedFiles(publication: Publication): Promise<PublishedFiles> {
  const { backend, owner, deviceId } = publication
  const files = new Map<string, PublishedFile>()
  const unreadable = new Set<string>()
  const entries = await backend.list(backend.resolve(`${beliefsHome}/${deviceId}`))
  const siblings = new Set(entries.map(({ name }) => name))
  for (const at of entries) {
    if (exclusionOf(at.key, { isDirectory: false }) !== undefined || isConflictCopy(publication, at.name, siblings))
      continue
    const text = await textOf(publication, at)
    if (text === 'unreadable') unreadable.add(at.key)
    if (text === undefined || text === 'unreadable') continue
    const note = parseNote(text, at.key)
    const belief = textField(note.fields, 'belief')
    if (belief === undefined || textField(note.fields, 'owner') !== owner || files.has(belief)) continue
    const statement = statementIn(readFrontmatter(text).body)
    files.set(belief, { at, key: at.key, text, hash: contentHash(text), statement, status: note.status })
  }
  return { files, unreadable }
}

function isConflictCopy({ backend, conflictCopy }: Publication, name: string, siblings: ReadonlySet<string>): boolean {
  return backend.capabilities.conflictFiles && conflictCopy?.(name, siblings) !== undefined
}

async function textOf({ backend }: Publication, at: Locator): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    if (isSeamError(error) && error.code !== 'STORE_UNAVAILABLE') return 'unreadable'
    throw error
  }
}
