/** The state that the parts of one open store share. */
import type { Durability, StoreRuntime } from '@agentm/nodes'
import { type ConceptSet, StoreClosedError } from '@agentm/nodes/store-kit'
import type { ChangeSignal } from './change-signal.ts'
import type { Connection } from './connection.ts'
import type { WriteQueue } from './write-queue.ts'

export interface StoreContext {
  readonly path: string
  readonly concepts: ConceptSet
  readonly runtime: StoreRuntime
  readonly writer: Connection
  readonly reader: Connection
  readonly queue: WriteQueue
  readonly changes: ChangeSignal
  /** The durability of writes that name none. */
  readonly durability: Durability
  readonly isClosed: () => boolean
}

export function checkOpen({ isClosed }: StoreContext): void {
  if (isClosed()) throw new StoreClosedError()
}
