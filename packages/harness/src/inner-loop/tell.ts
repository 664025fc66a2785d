import type { LoopObservation } from './loop-observation.ts'
import type { OpenLoop } from './open-loop.ts'

/** Tokens ride on the next observation there is, so that they are told once and cost no row of their own. */
export async function tell({ options, state }: OpenLoop, { kind, content, data }: LoopObservation): Promise<void> {
  const tokens = state.untold
  state.untold = 0
  await options.observe?.({ kind, content, data: { ...data, ...(tokens > 0 && { tokens }) } })
}
