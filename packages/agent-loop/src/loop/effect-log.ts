/**
 * Records of calls that outlive the process. An effect is recorded before and after it happens. If only the first record exists,
 * the outcome is unknown and must be found out.
 */
import type { MediaPart } from '../media/media-part.ts'
import type { ToolNature } from './tool.ts'

/** One call of a tool, as the effect log identifies it. */
export interface EffectCall {
  /** A hash of plan, step, tool, canonical arguments and ordinal; see `effectKey`. */
  readonly key: string
  readonly plan: string
  readonly step: string
  readonly tool: string
  /** The arguments as canonical JSON. */
  readonly args: string
  readonly ordinal: number
  readonly nature: ToolNature
}

/** What the effect log knows of a call: it is about to happen, it succeeded, or it failed. */
export type EffectRecord =
  /** About to happen, or with an unknown outcome. `intents` counts how often it was begun. */
  | { readonly state: 'intended'; readonly intents: number }
  | {
      readonly state: 'succeeded'
      readonly intents: number
      readonly text: string
      /** Pictures and documents of the answer, whose bytes are kept elsewhere. */
      readonly parts?: readonly MediaPart[]
    }
  /** Certain not to have happened. */
  | { readonly state: 'failed'; readonly intents: number; readonly message: string }

/** A confirmed write must survive power loss for an effectful call, and the end of the process for an idempotent one. */
export interface EffectLog {
  /** The same object for all logs over one store. Within a process, calls with the same key wait for each other. */
  readonly store: object
  read(call: EffectCall): Promise<EffectRecord | undefined>
  intend(call: EffectCall): Promise<void>
  succeed(call: EffectCall, text: string, parts?: readonly MediaPart[]): Promise<void>
  fail(call: EffectCall, message: string): Promise<void>
}

/**
 * For a loop without a store. The records end with the process.
 *
 * @example
 * ```ts
 * import { createEffectLog } from '@agentm/agent-loop'
 *
 * const effects = createEffectLog()
 * ```
 */
export function createEffectLog(): EffectLog {
  const records = new Map<string, EffectRecord>()
  const intents = (key: string): number => records.get(key)?.intents ?? 0
  return {
    store: records,
    async read({ key }) {
      return records.get(key)
    },
    async intend({ key }) {
      records.set(key, { state: 'intended', intents: intents(key) + 1 })
    },
    async succeed({ key }, text, parts) {
      records.set(key, { state: 'succeeded', intents: intents(key), text, ...(parts && { parts }) })
    },
    async fail({ key }, message) {
      records.set(key, { state: 'failed', intents: intents(key), message })
    },
  }
}
