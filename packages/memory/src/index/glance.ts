/**
 * A look at a part of the store, for a process that must answer at once: directories that gained or lost names since the last whole walk,
 * and a few others, beginning somewhere else each time. A file that was edited in place is noticed when its directory has its turn, or
 * when the note is opened to be returned.
 */
import { isSeamError } from '@agentm/storage-seam'
import type { MemoryContext } from '../memory-context.ts'
import { isUnreadable } from '../notes/is-unreadable.ts'
import { type DirectoryMarks, isIn, type WalkMarks } from './directory-marks.ts'
import { rotated, Walk, type WalkOptions } from './walk.ts'

/** Listing more takes longer than the whole glance may. Such a directory is looked at by whole walks. */
const mostListed = 1000
const mostAsked = 150
/** In seconds. Some file systems keep times that precisely. */
const coarsestClock = 2

interface Glance {
  readonly known: WalkMarks
  readonly projects: ReadonlySet<string> | undefined
  readonly options: WalkOptions
}

export async function glance(context: MemoryContext, { known: marks, projects, options }: Glance): Promise<Walk> {
  const { directories: known, walkedAt } = marks
  const walk = new Walk(context, options, projects)
  for (const [key, { revision, isForeign }] of known)
    if (isForeign && (await revisionAt(context, key)) === revision) walk.knowForeign(key)
  const { changed, same } = await sorted(context, known, { walk, partitions: options.partitions })
  for (const { key, revision } of changed) {
    const below = await walk.alone(context.places.at(key), { revision })
    for (const each of below ?? []) if (!known.has(each.locator.key)) await walk.directory(each.locator, each.revision)
  }
  const since = walkedAt / 1000 - coarsestClock
  for (const { key, revision } of same) await walk.alone(context.places.at(key), { revision, since })
  return walk
}

interface Directory {
  readonly key: string
  readonly revision: string
}

async function sorted(
  context: MemoryContext,
  known: DirectoryMarks,
  { walk, partitions }: { readonly walk: Walk; readonly partitions: readonly string[] | undefined },
): Promise<{ readonly changed: readonly Directory[]; readonly same: readonly Directory[] }> {
  const wanted = [...known].filter(
    ([key, { entries }]) => entries <= mostListed && (partitions === undefined || isIn(key, partitions, walk.foreign)),
  )
  const [changed, same]: [Directory[], Directory[]] = [[], []]
  for (const [key, mark] of rotated(wanted, context.runtime.random()).slice(0, mostAsked)) {
    if (walk.isLate()) break
    const revision = await revisionAt(context, key)
    if (revision !== undefined) (revision === mark.revision ? same : changed).push({ key, revision })
  }
  return { changed, same }
}

/** `undefined` if the directory is gone, or cannot be looked at now. */
async function revisionAt({ backend, places }: MemoryContext, key: string): Promise<string | undefined> {
  try {
    return (await backend.info(places.at(key))).revision
  } catch (error) {
    if (isSeamError(error) && (error.code === 'NOT_FOUND' || error.code === 'OUTSIDE_STORE' || isUnreadable(error)))
      return undefined
    throw error
  }
}
