/** What the log says of a call, and what follows from it. */
import type { EffectRecord } from '../effect-log.ts'
import type { StructuredToolError } from '../tool-error.ts'
import type { ToolNature } from '../tool.ts'

/** A beginning without an end. */
export interface Doubt {
  readonly record: EffectRecord | undefined
  /** It was begun in this run. */
  readonly ran: boolean
  /** How it failed, where it did so in this run. */
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
