/** One promise a node store keeps, as data, in the way of the backend contracts. */
import type { NodeStore } from '@agentm/nodes'
import type { LogCrew } from './processes/log-crew.ts'

/** One promise a node store keeps, as data. */
export interface LogContract {
  /** Stable; `only` and reports use it. */
  readonly id: string
  readonly sentence: string
  readonly needs?: readonly LogNeed[]
  /** Throws when the promise is broken. */
  check(world: LogWorld): Promise<void>
}

/** What a contract needs to be tested: a clock that the test may set, a second handle on the same data, or more processes. */
export type LogNeed = 'clock' | 'reopening' | 'processes'

/** Made for one contract and thrown away after it. */
export interface LogWorld {
  /** Fresh and empty, opened with the sample concepts. */
  readonly store: NodeStore
  /** Another handle on the same data; closed by the runner. */
  readonly reopen: () => Promise<NodeStore>
  /** Sets the store's clock, in epoch milliseconds. */
  readonly setClock: (at: number) => void
  readonly crew: LogCrew
  /** Multiplies rounds and sizes; 1 is the quick run. */
  readonly scale: number
}
