import type { ConceptSet } from '@agentm/nodes/store-kit'
import type { Ahead } from './ahead.ts'
import type { Database } from './database.ts'
import type { Embedders } from './embedders.ts'
import type { Horizon } from './horizon.ts'
import type { LogWriter } from './log-writer.ts'
import type { NearIndex } from './near-index.ts'
import type { ServerClock } from './server-clock.ts'
import type { ChangeSignal } from './change-signal.ts'

/** The state that the three views of one store share. */
export interface StoreContext {
  readonly database: Database
  readonly concepts: ConceptSet
  readonly clock: ServerClock
  readonly writer: LogWriter
  readonly horizon: Horizon
  readonly changes: ChangeSignal
  readonly embedders: Embedders
  readonly near: NearIndex
  /** The steps that workers of this process will probably claim next. */
  readonly ahead: Ahead
}
