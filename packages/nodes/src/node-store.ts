import type { NodeLog } from './node-log.ts'
import type { RecallStore } from './recall-store.ts'
import type { WorkLog } from './work-log.ts'

/** What an opener returns: three views of one store, in one transaction domain. */
export interface NodeStore {
  readonly log: NodeLog
  readonly work: WorkLog
  readonly recall: RecallStore
  /** Ends feeds, finishes what was acknowledged, lets go of files and connections. Safe to call twice. */
  close(): Promise<void>
}

/** Time, chance and waiting, as arguments: a test says when and who. */
export interface StoreRuntime {
  now(): number
  /** In [0, 1). */
  random(): number
  newId(): string
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
