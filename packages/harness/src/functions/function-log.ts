/** What a pass of a function reads and writes. The worker gives it the node log; `replayAgainst` gives it a recorded history. */
import type { Draft, Durability } from '@agentm/nodes'
import type { NewPlan } from '../new-plan.ts'
import type { Entry } from './entry.ts'
import type { Message } from './mailbox.ts'

/** An entry as it stands in the log, with the place and the time of its last version. */
export interface Recorded {
  readonly entry: Entry
  readonly seq: number
  readonly at: number
}

/** A change of one entry. On an existing entry, its fields replace the fields of the same name. */
export type EntryChange = Pick<Entry, 'position' | 'op' | 'name' | 'status'> & Partial<Entry>

/** A plan that a function waits for. */
export interface ChildPlan {
  readonly plan: Pick<NewPlan, 'goal' | 'steps' | 'input' | 'budget'>
  /** Whether it runs a function, which can be asked to cancel itself. */
  readonly isFunction: boolean
  /** How the result is read from the results of its steps, by key. */
  readonly resultOf: (results: Readonly<Record<string, unknown>>) => unknown
}

export type ChildEnd =
  | { readonly status: 'done'; readonly value: unknown }
  | { readonly status: 'failed' | 'cancelled'; readonly message: string }

export interface FunctionLog {
  now(): number
  entries(): Promise<readonly Recorded[]>
  /** Every message that was sent to the run, oldest first. */
  messages(): Promise<readonly Message[]>
  write(changes: readonly EntryChange[], durability: Durability): Promise<readonly Recorded[]>
  /** The same changes, to be written together with something else. */
  draftsOf(changes: readonly EntryChange[]): readonly Draft[]
  /** The same position gives the same plan. Resolves with its id. */
  startChild(position: number, child: ChildPlan): Promise<string>
  /** The plan that a call at this position starts, or has started. */
  childIdOf(position: number): string
  /** `undefined` while it runs. */
  childEnd(planId: string, child: ChildPlan): Promise<ChildEnd | undefined>
  /** Does nothing if the plan was not started or has ended. */
  cancelChild(planId: string, reason: string): Promise<void>
}
