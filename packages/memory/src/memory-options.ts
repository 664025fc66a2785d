/** What memory is opened with. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeLog, RecallStore, StoreRuntime } from '@agentm/nodes'
import type { StorageBackend } from '@agentm/storage-seam'
import type { BoundProject } from './bound-project.ts'
import type { KeyedStore } from './keyed-store.ts'
import { NoteCorpus } from './index/note-corpus.ts'
import type { ConflictCopyOf, MemoryContext } from './memory-context.ts'
import type { MemoryEmbedder } from './embedders/memory-embedder.ts'
import { NotePlaces } from './notes/note-places.ts'

/** What memory is opened with. */
export interface MemoryOptions {
  readonly backend: StorageBackend
  /** The id in the store's marker. Without that marker, absent notes are not treated as deleted. */
  readonly storeId: string
  readonly owner: string
  /** The place of the index: on this device, never in a replicated directory. */
  readonly recall: RecallStore
  readonly log?: NodeLog
  /** Where nodes of the log are found (default: `recall`). */
  readonly nodeRecall?: RecallStore
  readonly project?: BoundProject
  readonly embedder?: MemoryEmbedder
  /** Which component writes to the log (default: `memory`). */
  readonly actor?: string
  readonly runtime?: Partial<StoreRuntime>
  /** Recognises copies that a sync program made. Asked only where the backend declares `conflictFiles`. */
  readonly conflictCopy?: ConflictCopyOf
  /**
   * Projects that the store's registry knows. A directory in a home of projects is one of ours where it is among them, or where
   * something of ours lies in it; every other one is a person's. Where this fails, all of them count as ours.
   */
  readonly registeredProjects?: () => Promise<ReadonlySet<string>>
  /** Under what name this device publishes its beliefs; its own are known from the log, and not indexed again. */
  readonly deviceId?: string
  /** Publishes every belief again, for `reindex` of shared abstracts: `syncBeliefs` of @agentm/learning. */
  readonly publishBeliefs?: () => Promise<void>
  /** How long to leave a failing embedder alone is kept here (default: in this object alone, so the next process does not know). */
  readonly state?: KeyedStore
  /** How long a recall may look for changed notes (default: a second). */
  readonly scanBudgetMs?: number
}

export function contextOf(options: MemoryOptions): MemoryContext {
  const { backend, storeId, owner, recall, log, nodeRecall, runtime, scanBudgetMs = 1000, actor = 'memory' } = options
  return {
    backend,
    storeId,
    owner,
    actor,
    project: options.project,
    recall,
    log,
    nodeRecall: log === undefined ? undefined : (nodeRecall ?? recall),
    embedder: options.embedder,
    runtime: { ...systemRuntime, ...runtime },
    places: new NotePlaces(backend),
    conflictCopy: options.conflictCopy,
    registeredProjects: options.registeredProjects,
    deviceId: options.deviceId,
    publishBeliefs: options.publishBeliefs,
    state: options.state ?? inThisProcess(),
    scanBudgetMs,
    corpus: new NoteCorpus(),
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

export const systemRuntime: StoreRuntime = {
  now: Date.now,
  random: Math.random,
  newId: randomUUID,
  sleep: async (ms, signal) => {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  },
}
