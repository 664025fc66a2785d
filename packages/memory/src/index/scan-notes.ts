/**
 * Walks the store and lists the notes in it, without opening any. Files that are not notes are left out by name: the inbox,
 * archives, internal files, files that are being written, and copies made by a sync program. The walk stops when its time is up,
 * and says so.
 */
import type { MemoryContext } from '../memory-context.ts'
import { type Exclusion, exclusionOf, placeOf } from '../notes/pure/note-place.ts'
import type { Listing } from '@agentm/storage-seam'
import { type DirectoryMarks, readMarks } from './directory-marks.ts'
import { isAsPrinted, readPrints } from './directory-prints.ts'
import { glance } from './glance.ts'
import { Walk, type WalkOptions } from './walk.ts'

export interface NoteScan {
  /** From key to the backend's revision; `undefined` if the backend has no revisions. */
  readonly found: ReadonlyMap<string, string | undefined>
  /** `false` if time ran out. Notes that were not found may then exist. */
  readonly complete: boolean
  /** Copies of notes that a sync program made. They are left out. */
  readonly conflictCopies: readonly string[]
  /** Directories that exist but cannot be read now. Indexed notes in them stay. */
  readonly unreadable: readonly string[]
  /** Keys of files that are too large to be opened for recall. */
  readonly tooLarge: readonly string[]
  /** Directories among the projects that show no sign of agentm. */
  readonly foreign: ReadonlySet<string>
  /** The directories that were listed to their end. */
  readonly directories: DirectoryMarks
  /** When the last whole walk began, in epoch milliseconds. */
  readonly walkedAt: number
  /** Whether only some directories were looked at. */
  readonly isGlance: boolean
  /** What the walk looked for: walks of another scope find other notes. */
  readonly scope: string
  /** The fingerprint of each directory; `undefined` if they do not tell all that the walk found. */
  readonly prints: ReadonlyMap<string, string> | undefined
  /** Whether every directory is as it was when the index was last found to contain all notes. Then `found` is empty. */
  readonly isAsIndexed: boolean
}

export interface ScanOptions extends WalkOptions {
  /** Looks at directories that changed since the last whole walk and at a few others, if a whole walk was ever made. */
  readonly glance?: boolean | undefined
  /** Lists no notes if the fingerprints of all directories say that the index contains them as they are. */
  readonly byPrints?: boolean | undefined
}

export async function scanNotes(context: MemoryContext, options: ScanOptions = {}): Promise<NoteScan> {
  const projects = await knownProjects(context)
  const known = options.glance === true ? await readMarks(context) : undefined
  if (known !== undefined && known.directories.size > 0)
    return {
      ...scanOf(await glance(context, { known, projects, options }), known.walkedAt),
      complete: false,
      isGlance: true,
      prints: undefined,
    }
  const walkedAt = context.runtime.now()
  const walk = new Walk(context, options, projects)
  const listings = new Map<string, Listing>()
  if (options.byPrints === true && (await isAsIndexed(context, walk, listings)))
    return { ...scanOf(walk, walkedAt), isAsIndexed: true }
  walk.take(listings)
  const root = context.places.at('')
  await walk.directory(root, (await context.backend.info(root)).revision)
  return walk.complete && walk.unreadable.length === 0
    ? context.corpus.walks.scanOf(walk.sorted, () => scanOf(walk, walkedAt))
    : scanOf(walk, walkedAt)
}

/** Puts the listings that were made meanwhile into `listings`, so that they need not be made again. */
async function isAsIndexed(context: MemoryContext, walk: Walk, listings: Map<string, Listing>): Promise<boolean> {
  const prints = await readPrints(context, walk.scope)
  if (prints === undefined) return false
  const list = async (key: string) => {
    const listing = walk.isLate() ? undefined : await walk.listingOf(context.places.at(key))
    if (listing !== undefined) listings.set(key, listing)
    return walk.isLate() ? undefined : listing
  }
  return (await isAsPrinted(prints, list)) && context.corpus.notes.read(({ state }) => state.revision === prints.index)
}

function scanOf(walk: Walk, walkedAt: number): NoteScan {
  const { complete, unreadable, sorted, marks, foreign, scope, prints } = walk
  return {
    found: new Map(sorted.flatMap(({ notes }) => notes)),
    complete,
    conflictCopies: sorted.flatMap(({ conflictCopies }) => conflictCopies),
    unreadable,
    tooLarge: sorted.flatMap(({ tooLarge }) => tooLarge),
    foreign: new Set(foreign),
    directories: marks,
    walkedAt,
    isGlance: false,
    scope,
    prints,
    isAsIndexed: false,
  }
}

/** The slugs of known agentm projects; `undefined` if they cannot be determined. */
async function knownProjects({ registeredProjects, project }: MemoryContext): Promise<ReadonlySet<string> | undefined> {
  try {
    const registered = (await registeredProjects?.()) ?? []
    return new Set([...registered, ...(project === undefined ? [] : [project.slug])])
  } catch {
    // If the registry cannot be read, no directory is treated as foreign, because its notes would then be shown in all projects.
    return undefined
  }
}

/** Whether a key can be a note, by its name and place alone. */
export function isNoteKey(key: string, foreign?: ReadonlySet<string>): boolean {
  return placeOf(key).stem !== '' && exclusionsAlong(key, foreign).every((why) => why === undefined)
}

/** The reasons to leave out each directory on the way to a file, and the file. */
export function exclusionsAlong(key: string, foreign?: ReadonlySet<string>): readonly (Exclusion | undefined)[] {
  const parts = key.split('/')
  const among = foreign === undefined ? {} : { foreign }
  return parts.map((_, i) =>
    exclusionOf(parts.slice(0, i + 1).join('/'), { isDirectory: i < parts.length - 1, ...among }),
  )
}
