/** What every verb of one opened memory works with. */
import type { NodeLog, RecallStore, StoreRuntime } from '@agentm/nodes'
import type { StorageBackend } from '@agentm/storage-seam'
import type { BoundProject } from './bound-project.ts'
import type { KeyedStore } from './keyed-store.ts'
import type { NoteCorpus } from './index/note-corpus.ts'
import type { MemoryEmbedder } from './embedders/memory-embedder.ts'
import type { NotePlaces } from './notes/note-places.ts'

/** What a name is a conflict copy of, judged beside its siblings; `undefined` for a name of its own. */
export type ConflictCopyOf = (name: string, siblings: ReadonlySet<string>) => unknown

export interface MemoryContext {
  readonly backend: StorageBackend
  readonly storeId: string
  readonly owner: string
  readonly actor: string
  readonly project: BoundProject | undefined
  /** Holds the indexed notes. */
  readonly recall: RecallStore
  /** Plans, steps, observations and beliefs, where there are any. */
  readonly log: NodeLog | undefined
  /** Finds nodes of the log; the same store as `recall` when both are one file. */
  readonly nodeRecall: RecallStore | undefined
  readonly embedder: MemoryEmbedder | undefined
  readonly runtime: StoreRuntime
  readonly places: NotePlaces
  readonly conflictCopy: ConflictCopyOf | undefined
  readonly registeredProjects: (() => Promise<ReadonlySet<string>>) | undefined
  readonly deviceId: string | undefined
  readonly publishBeliefs: (() => Promise<void>) | undefined
  /** Survives the process: how long to leave a failing embedder alone. */
  readonly state: KeyedStore
  readonly scanBudgetMs: number
  /** What is known of the notes, for as long as this memory is open. */
  readonly corpus: NoteCorpus
}
