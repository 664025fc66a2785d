/** The options of an opened memory. */
import type { RecallStore } from '@agentm/nodes'
import type { ByteTables } from '@agentm/nodes/store-kit'
import type { StorageBackend } from '@agentm/storage-seam'
import type { BoundProject } from './bound-project.ts'
import type { KeyedStore } from './keyed-store.ts'
import { NoteCorpus } from './index/note-corpus.ts'
import type { ConflictCopyOf, MemoryContext, MemoryLog } from './memory-context.ts'
import { type MemoryRuntime, systemRuntime } from './memory-runtime.ts'
import type { MemoryEmbedder } from './embedders/memory-embedder.ts'
import { NotePlaces } from './notes/note-places.ts'
import type { RelatedWords } from './ranking/pure/related-words.ts'
import type { RerankSettings } from './rerankers/reranker.ts'

/** The options of an opened memory. */
export interface MemoryOptions {
  readonly backend: StorageBackend
  /** The id in the store's marker. Without that marker, absent notes are not treated as deleted. */
  readonly storeId: string
  readonly owner: string
  /** The index of notes. It must be stored on this device, never in a replicated directory. */
  readonly index: ByteTables
  readonly log?: MemoryLog
  /** Searches the nodes of the log. Without it, only notes are found. */
  readonly recall?: RecallStore
  readonly project?: BoundProject
  readonly embedder?: MemoryEmbedder
  /** Words that can stand for those of a question, such as synonyms (default: none). */
  readonly relatedWords?: RelatedWords
  /** Puts the first results in order (default: nothing does). */
  readonly reranking?: RerankSettings
  /** The component that writes to the log (default: `memory`). */
  readonly actor?: string
  readonly runtime?: Partial<MemoryRuntime>
  /** Recognises copies that a sync program made. It is called only if the backend declares `conflictFiles`. */
  readonly conflictCopy?: ConflictCopyOf
  /**
   * The projects in the store's registry. A directory among the projects is an agentm project if it is registered or contains an
   * entry of agentm; any other is a person's own. If this call fails, all of them count as agentm projects.
   */
  readonly registeredProjects?: () => Promise<ReadonlySet<string>>
  /** The name under which this device publishes its beliefs. Its own beliefs are read from the log and are not indexed a second time. */
  readonly deviceId?: string
  /** Publishes every belief again, for `reindex` of shared abstracts. Use `syncBeliefs` of @agentm/learning. */
  readonly publishBeliefs?: () => Promise<void>
  /** Stores how long a failing embedder is not called (default: in memory, so the next process does not know it). */
  readonly state?: KeyedStore
  /** The most processor time that a recall spends on looking for changed notes, in milliseconds (default: one second). */
  readonly scanBudgetMs?: number
}

export function contextOf(options: MemoryOptions): MemoryContext {
  const { backend, storeId, owner, index, log, runtime, scanBudgetMs = 1000, actor = 'memory' } = options
  return {
    backend,
    storeId,
    owner,
    actor,
    project: options.project,
    log,
    recall: options.recall,
    embedder: options.embedder,
    relatedWords: options.relatedWords,
    reranking: options.reranking,
    runtime: { ...systemRuntime, ...runtime },
    places: new NotePlaces(backend),
    conflictCopy: options.conflictCopy,
    registeredProjects: options.registeredProjects,
    deviceId: options.deviceId,
    publishBeliefs: options.publishBeliefs,
    state: options.state ?? inThisProcess(),
    scanBudgetMs,
    corpus: new NoteCorpus(index, { owner, storeId }),
  }
}

function inThisProcess(): KeyedStore {
  const texts = new Map<string, string>()
  return {
    read: async (key) => texts.get(key),
    write: async (key, text) => void texts.set(key, text),
    remove: async (key) => void texts.delete(key),
  }
}
