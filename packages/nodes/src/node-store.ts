import type { NodeLog } from './node-log.ts'
import type { RecallStore } from './recall-store.ts'
import type { WorkLog } from './work-log.ts'

/** The result of opening a store: three views of one store, which share transactions. */
export interface NodeStore {
  readonly log: NodeLog
  readonly work: WorkLog
  readonly recall: RecallStore
  /** Ends feeds, finishes acknowledged writes, and closes files and connections. May be called twice. */
  close(): Promise<void>
}

/** Clock, randomness and waiting, as arguments, so that a test controls them. */
export interface StoreRuntime {
  now(): number
  /** At least 0, less than 1. */
  random(): number
  newId(): string
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
