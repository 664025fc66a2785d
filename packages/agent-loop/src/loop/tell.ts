import type { LoopObservation } from './loop-observation.ts'
import type { OpenLoop } from './open-loop.ts'
import { nothing } from './pure/reserve.ts'

/** Tokens and money are reported in the next observation, so that they are counted once and need no entry of their own. */
export async function tell({ options, state }: OpenLoop, { kind, content, data }: LoopObservation): Promise<void> {
  const { tokens, costMicros } = state.untold
  state.untold = nothing
  await options.observe?.({
    kind,
    content,
    data: { ...data, ...(tokens > 0 && { tokens }), ...(costMicros > 0 && { costMicros }) },
  })
}
