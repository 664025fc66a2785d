/** The earlier versions of a note, newest first: the version it superseded, the one before that, and every archived file of its key. */
import { type Locator, isSeamError } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import { archiveName } from './pure/note-place.ts'
import { type Note, textField } from './pure/note.ts'
import { parseNote } from './pure/parse-note.ts'
import { readIfPresent } from './read-if-present.ts'

export interface ArchivedVersion {
  readonly key: string
  readonly text: string
  readonly note: Note
}

export async function archivedVersions(context: MemoryContext, key: string): Promise<readonly ArchivedVersion[]> {
  const found = new Map<string, ArchivedVersion>()
  const current = await readIfPresent(context.backend, context.places.at(key))
  let next = current === undefined ? undefined : parseNote(current, key).supersedes
  while (next !== undefined && !found.has(next)) {
    const version = await readVersion(context, next)
    if (version === undefined) break
    found.set(version.key, version)
    next = version.note.supersedes
  }
  for (const place of await archivesOfPlace(context, key)) {
    const version = found.has(place) ? undefined : await readVersion(context, place)
    if (version !== undefined) found.set(version.key, version)
  }
  return [...found.values()].toSorted((a, b) => archivedAt(b) - archivedAt(a))
}

/** The directory of a note's earlier versions. */
export async function archiveHome(context: MemoryContext): Promise<string> {
  return `${await context.places.personal()}/${archiveName}`
}

/** `<archive>/<old place>.<YYYYMMDD>.md`, with `-2` and so on if the name is taken. */
export function archiveKey(home: string, key: string, day: string, nth: number): string {
  return `${home}/${key.replace(/\.md$/i, '')}.${day}${nth === 1 ? '' : `-${nth}`}.md`
}

function archivedAt({ note }: ArchivedVersion): number {
  return Date.parse(textField(note.fields, 'superseded_at') ?? '') || note.createdAt
}

/** Reads only files in the archive. A field that names a file elsewhere is ignored. */
async function readVersion(context: MemoryContext, key: string): Promise<ArchivedVersion | undefined> {
  const at = locatorOf(context, key)
  if (at === undefined || !at.parts.includes(archiveName)) return undefined
  const text = await readIfPresent(context.backend, at)
  return text === undefined ? undefined : { key: at.key, text, note: parseNote(text, at.key) }
}

function locatorOf({ places }: MemoryContext, key: string): Locator | undefined {
  try {
    return places.at(key)
  } catch (error) {
    if (isSeamError(error, 'INVALID_LOCATOR')) return undefined
    throw error
  }
}

async function archivesOfPlace(context: MemoryContext, key: string): Promise<readonly string[]> {
  const at = context.places.at(`${await archiveHome(context)}/${key}`)
  const stem = `${at.name.replace(/\.md$/i, '')}.`
  const beside = await context.backend.list(at.parent)
  return beside
    .filter(({ name }) => name.startsWith(stem) && /^\d{8}(?:-\d+)?\.md$/.test(name.slice(stem.length)))
    .map((each) => each.key)
}
