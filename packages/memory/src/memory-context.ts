/** The data that every function of one opened memory uses. */
import type { NodeLog, RecallStore } from '@agentm/nodes'
import type { StorageBackend } from '@agentm/storage-seam'
import type { BoundProject } from './bound-project.ts'
import type { KeyedStore } from './keyed-store.ts'
import type { MemoryRuntime } from './memory-runtime.ts'
import type { NoteCorpus } from './index/note-corpus.ts'
import type { MemoryEmbedder } from './embedders/memory-embedder.ts'
import type { NotePlaces } from './notes/note-places.ts'
import type { RelatedWords } from './ranking/pure/related-words.ts'
import type { RerankSettings } from './rerankers/reranker.ts'

/** Tells whether a name is a conflict copy, given the names beside it; `undefined` if it is not. */
export type ConflictCopyOf = (name: string, siblings: ReadonlySet<string>) => unknown

/** What memory does with the log: it reads beliefs and episodes, and forgets them. It never repairs or backs up a log. */
export type MemoryLog = Pick<NodeLog, 'append' | 'latest' | 'redact' | 'scan'>

export interface MemoryContext {
  readonly backend: StorageBackend
  readonly storeId: string
  readonly owner: string
  readonly actor: string
  readonly project: BoundProject | undefined
  /** The log of plans, steps, observations and beliefs, if there is one. */
  readonly log: MemoryLog | undefined
  /** Searches the nodes of the log. */
  readonly recall: RecallStore | undefined
  readonly embedder: MemoryEmbedder | undefined
  readonly reranking: RerankSettings | undefined
  /** Words that can stand for those of a question. */
  readonly relatedWords: RelatedWords | undefined
  readonly runtime: MemoryRuntime
  readonly places: NotePlaces
  readonly conflictCopy: ConflictCopyOf | undefined
  readonly registeredProjects: (() => Promise<ReadonlySet<string>>) | undefined
  readonly deviceId: string | undefined
  readonly publishBeliefs: (() => Promise<void>) | undefined
  /** Stored beyond the process: how long a failing embedder is not called. */
  readonly state: KeyedStore
  /** In milliseconds of processor time. */
  readonly scanBudgetMs: number
  /** The index of notes, and what is remembered about them while this memory is open. */
  readonly corpus: NoteCorpus
}
