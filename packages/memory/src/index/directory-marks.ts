/**
 * The directories of the last whole walk, each with its revision, stored between processes. A directory with another revision has gained or
 * lost a name since. Marks are written when the index contains everything that the walk found.
 */
import type { MemoryContext } from '../memory-context.ts'
import { placeOf } from '../notes/pure/note-place.ts'
import { indexForm } from './pure/indexed-note.ts'

export interface DirectoryMark {
  readonly revision: string
  /** The number of notes and directories in it. */
  readonly entries: number
  /** Whether it is among the projects and no agentm project. */
  readonly isForeign: boolean
}

export type DirectoryMarks = ReadonlyMap<string, DirectoryMark>

/** The marks of a walk. */
export interface WalkMarks {
  readonly directories: DirectoryMarks
  /** When the walk began, in epoch milliseconds. */
  readonly walkedAt: number
}

type Row = readonly [key: string, revision: string, entries: number, isForeign: 0 | 1]

/** `undefined` if no whole walk was made yet. */
export async function readMarks({ state, storeId }: MemoryContext): Promise<WalkMarks | undefined> {
  return parsed(await state.read(nameOf(storeId)))
}

/** A walk of some partitions leaves the marks of the others as they are. */
export async function keepMarks(
  { state, storeId }: MemoryContext,
  { directories: found, walkedAt }: WalkMarks,
  partitions: readonly string[] | undefined,
): Promise<void> {
  const before = parsed(await state.read(nameOf(storeId)))?.directories ?? new Map<string, DirectoryMark>()
  const others = partitions === undefined ? [] : [...before].filter(([key]) => !isIn(key, partitions))
  const rows = rowsOf(new Map([...others, ...found]))
  // A later time alone is not worth a write. Until the next one, a few more notes are compared.
  if (JSON.stringify(rows) === JSON.stringify(rowsOf(before))) return
  await state.write(nameOf(storeId), JSON.stringify({ walkedAt, rows }))
}

function rowsOf(directories: DirectoryMarks): readonly Row[] {
  return Array.from(directories, ([key, { revision, entries, isForeign }]) => [
    key,
    revision,
    entries,
    isForeign ? 1 : 0,
  ])
}

/** Whether a directory can contain notes of these partitions. */
export function isIn(directory: string, partitions: readonly string[], foreign?: ReadonlySet<string>): boolean {
  return partitions.includes(placeOf(`${directory}/_`, foreign).partition)
}

function nameOf(storeId: string): string {
  return `directories ${storeId} ${indexForm}`
}

function parsed(text: string | undefined): WalkMarks | undefined {
  if (text === undefined) return undefined
  try {
    const { walkedAt, rows } = JSON.parse(text) as { readonly walkedAt: number; readonly rows: readonly Row[] }
    const directories = new Map(
      rows.map(([key, revision, entries, isForeign]) => [key, { revision, entries, isForeign: isForeign === 1 }]),
    )
    return { directories, walkedAt }
  } catch (error) {
    // A damaged file is the same as none: the next whole walk writes it again.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}
