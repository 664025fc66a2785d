/** What lies in this device's directory of beliefs, for one owner. */
import { contentHash, isSeamError, type Locator } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import { statementIn } from '../pure/statement-in.ts'
import type { FoundFile } from '../pure/belief-sync.ts'
import { beliefsHome, exclusionOf } from '../pure/note-place.ts'
import { readFrontmatter } from '../pure/frontmatter.ts'
import { textField } from '../pure/note.ts'
import { parseNote } from '../pure/parse-note.ts'

export interface PublishedFile extends FoundFile {
  readonly at: Locator
  readonly text: string
}

export interface PublishedFiles {
  /** By belief. */
  readonly files: ReadonlyMap<string, PublishedFile>
  /** Keys of files that are there and cannot be read now; nothing is concluded about them. */
  readonly unreadable: ReadonlySet<string>
}

export async function publishedFiles(context: MemoryContext, deviceId: string): Promise<PublishedFiles> {
  const { backend, places, owner } = context
  const files = new Map<string, PublishedFile>()
  const unreadable = new Set<string>()
  const entries = await backend.list(places.at(`${beliefsHome}/${deviceId}`))
  const siblings = new Set(entries.map(({ name }) => name))
  for (const at of entries) {
    if (exclusionOf(at.key, { isDirectory: false }) !== undefined || isConflictCopy(context, at.name, siblings))
      continue
    const text = await textOf(context, at)
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

function isConflictCopy(
  { backend, conflictCopy }: MemoryContext,
  name: string,
  siblings: ReadonlySet<string>,
): boolean {
  return backend.capabilities.conflictFiles && conflictCopy?.(name, siblings) !== undefined
}

async function textOf({ backend }: MemoryContext, at: Locator): Promise<string | undefined> {
  try {
    return await backend.read(at)
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return undefined
    if (isSeamError(error) && error.code !== 'STORE_UNAVAILABLE') return 'unreadable'
    throw error
  }
}
