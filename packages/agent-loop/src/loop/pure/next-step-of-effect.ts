/** Decides from the recorded state of a call what to do next. */
import type { EffectRecord } from '../effect-log.ts'
import type { StructuredToolError } from '../tool-error.ts'
import type { ToolNature } from '../tool.ts'

/** A call with a recorded start but no recorded end. */
export interface Doubt {
  readonly record: EffectRecord | undefined
  /** Whether it was started in this run. */
  readonly ran: boolean
  /** How it failed, if it failed in this run. */
  readonly failure?: {
    readonly end: 'failed'
    readonly text: string
    readonly error: StructuredToolError
    readonly ran: boolean
  }
}

export function nextStep(nature: ToolNature, record: EffectRecord | undefined): 'reuse' | 'settle_doubt' | 'begin' {
  if (record?.state === 'succeeded') return 'reuse'
  return record?.state === 'intended' && nature === 'effectful' ? 'settle_doubt' : 'begin'
}
