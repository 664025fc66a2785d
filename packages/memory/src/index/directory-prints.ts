/**
 * A fingerprint of each directory, from a walk that found every note in the index as it is. While the index and all fingerprints are the same,
 * a process from nothing has looked at every file and needs to compare no notes.
 */
import { contentHash, type Listing } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import { isMarkdown } from '../notes/pure/note-place.ts'
import { indexForm } from './pure/indexed-note.ts'

export interface DirectoryPrints {
  /** The revision of the index that contains all notes as they are. */
  readonly index: string
  /** What the walk looked for. */
  readonly scope: string
  readonly directories: ReadonlyMap<string, string>
}

interface Stored extends Omit<DirectoryPrints, 'directories'> {
  readonly directories: readonly (readonly [key: string, print: string])[]
}

/** More are used by nobody; each open project is one. */
const mostScopes = 8

/** The latest prints of a walk for the same; `undefined` if there are none. */
export async function readPrints(
  { state, storeId }: MemoryContext,
  scope: string,
): Promise<DirectoryPrints | undefined> {
  const stored = parsed(await state.read(nameOf(storeId)))?.find((each) => each.scope === scope)
  return stored === undefined ? undefined : { ...stored, directories: new Map(stored.directories) }
}

async function keepPrints(
  { state, storeId }: MemoryContext,
  { directories, ...prints }: DirectoryPrints,
): Promise<void> {
  const before = parsed(await state.read(nameOf(storeId)))
  const now: Stored = { ...prints, directories: [...directories] }
  const others = (before ?? []).filter(({ scope }) => scope !== prints.scope)
  const known = before?.find(({ scope }) => scope === prints.scope)
  if (JSON.stringify(known) === JSON.stringify(now)) return
  await state.write(nameOf(storeId), JSON.stringify([now, ...others].slice(0, mostScopes)))
}

/** Keeps nothing where this device cannot be written now, because prints only save time. */
export async function keepPrintsIfPossible(...args: Parameters<typeof keepPrints>): Promise<void> {
  await keepPrints(...args).catch(() => {})
}

/** `undefined` if something in the directory has no revision, so that a change of it could not be noticed. */
export function printOf({ children }: Listing): string | undefined {
  let text = ''
  for (const child of children) {
    if ('refusal' in child) return undefined
    const { locator, isDir, revision } = child
    if (isDir || !isMarkdown(locator.key)) text += isDir ? `${locator.key}/\n` : `${locator.key}\n`
    else if (revision === undefined) return undefined
    else text += `${locator.key}\0${revision}\n`
  }
  return contentHash(text)
}

/** Whether each directory still has its fingerprint. Stops at the first one that has not. */
export async function isAsPrinted(
  { directories }: DirectoryPrints,
  list: (key: string) => Promise<Listing | undefined>,
): Promise<boolean> {
  for (const [key, print] of directories) {
    const listing = await list(key)
    if (listing === undefined || printOf(listing) !== print) return false
  }
  return true
}

function nameOf(storeId: string): string {
  return `prints ${storeId} ${indexForm}`
}

/** What cannot be read counts as absent, because the next whole walk writes it again. */
function parsed(text: string | undefined): readonly Stored[] | undefined {
  try {
    const stored: unknown = text === undefined ? undefined : JSON.parse(text)
    return Array.isArray(stored) ? stored.filter(isStored) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isStored(each: unknown): each is Stored {
  if (typeof each !== 'object' || each === null || !('directories' in each)) return false
  const { directories } = each
  return Array.isArray(directories) && directories.every((one) => Array.isArray(one) && one.length === 2)
}
