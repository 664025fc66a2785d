/** Memory for programs that only read. It changes neither the store nor the index. */
import type { Locator } from '@agentm/storage-seam'
import { readablePartitions } from './bound-project.ts'
import type { BundleRequest } from './recall/bundle-memory.ts'
import { backlogOf, type EmbedReport } from './embedders/embed-pending.ts'
import type { MemoryContext } from './memory-context.ts'
import { isMemoryError } from './memory-errors.ts'
import { contextOf, type MemoryOptions } from './memory-options.ts'
import type { ListedNote, NotesRequest } from './notes/list-notes.ts'
import type { NoteVersion } from './notes/note-history.ts'
import type { NoteFile } from './notes/read-note.ts'
import { type IndexDrift, NoteIndex, type Progress } from './index/note-index.ts'
import type { ScanOptions } from './index/scan-notes.ts'
import type { Bundle } from './recall/pure/bundle.ts'
import type { LintReport } from './notes/pure/lint-note.ts'
import { workBudget } from './index/work-budget.ts'
import { type Looked, recallMemory } from './recall/recall-memory.ts'
import type { MemoryAnswer, RecallRequest } from './recall/recall-request.ts'

/** Memory for programs that only read. */
export interface MemoryReader {
  recall(request: RecallRequest): Promise<MemoryAnswer>
  /** What an agent should know before it works here, within a budget of tokens. */
  bundle(request: BundleRequest): Promise<Bundle>
  /** One note as its file holds it now, by id or key. */
  read(note: string): Promise<NoteFile>
  /** The versions of a note, newest first, by id or key. */
  history(note: string): Promise<readonly NoteVersion[]>
  /** Lists the notes page by page, in the order of their keys. */
  notes(request?: NotesRequest): Promise<readonly ListedNote[]>
  lint(): Promise<LintReport>
  backlog(): Promise<EmbedReport>
  /** Notes that may have changed after this time, in epoch seconds. */
  changedSince(mtime: number): Promise<Locator[]>
}

// Reading a note that is newer than the index takes five milliseconds of processor time in a process that begins.
const mostRead = 500
const mostGlanced = 8

/** Opens memory for reading. It changes neither the store nor the index. */
export function openMemoryReader(options: MemoryOptions): MemoryReader {
  const context = contextOf(options)
  const index = new NoteIndex(context)
  return readerOf(context, index, async ({ enough, partitions, glance, byPrints }) =>
    index.drift({ enough, partitions, glance, byPrints, most: glance === true ? mostGlanced : mostRead }),
  )
}

type Look = (options: LookOptions) => Promise<IndexDrift>
type LookOptions = Pick<ScanOptions, 'enough' | 'glance' | 'byPrints'> & {
  readonly partitions: readonly string[]
  readonly onProgress?: Progress | undefined
}

/** The reading functions, with a way to look for changes that the caller gives. Code that only one of them needs is loaded on demand. */
export function readerOf(context: MemoryContext, index: NoteIndex, look: Look): MemoryReader {
  let isFirst = true
  const lookAt = async (
    request: Pick<RecallRequest, 'scanBudgetMs' | 'scanLimitMs' | 'glance' | 'onProgress'>,
    partitions: readonly string[],
  ): Promise<Looked> => {
    const { scanBudgetMs: budgetMs = context.scanBudgetMs, scanLimitMs: limitMs } = request
    try {
      const enough = workBudget(context.runtime, { budgetMs, limitMs })
      // A process that stays remembers its walks, and then they are quicker.
      const byPrints = isFirst
      isFirst = false
      const { glance, onProgress } = request
      return { drift: await look({ enough, partitions, glance, onProgress, byPrints }) }
    } catch (error) {
      if (error instanceof Error && isAway(error)) return { away: error }
      throw error
    }
  }
  return {
    bundle: async (request) => {
      const { bundleMemory } = await import('./recall/bundle-memory.ts')
      return bundleMemory(context, request, async (partitions) => lookAt(request, partitions))
    },
    recall: async (request) => recallMemory(context, request, async (partitions) => lookAt(request, partitions)),
    read: async (note) => {
      const { findNote } = await import('./notes/find-note.ts')
      const { readNote } = await import('./notes/read-note.ts')
      return readNote(context, await findNote(context, index, note))
    },
    history: async (note) => {
      const { findNote } = await import('./notes/find-note.ts')
      const { noteHistory } = await import('./notes/note-history.ts')
      return noteHistory(context, await findNote(context, index, note))
    },
    notes: async (request = {}) => {
      const { listNotes } = await import('./notes/list-notes.ts')
      return listNotes(context, await look({ partitions: readablePartitions(context.project) }), request)
    },
    lint: async () => (await import('./notes/lint-notes.ts')).lintNotes(context),
    backlog: async () => backlogOf(context),
    changedSince: async (mtime) => (await import('./index/changed-since.ts')).changedSince(context, index, mtime),
  }
}

/** Whether only the notes are unavailable. Beliefs and episodes can still answer. */
function isAway(error: Error): boolean {
  return isMemoryError(error, 'STORE_NOT_MARKED') || ('code' in error && error.code === 'STORE_UNAVAILABLE')
}
