/** Whether a provider may charge for a request that brought no reply, and for how many tokens. */
import type { TokenUsage } from '../model.ts'
import { causesOf, classifyError, statusOf } from './classify-error.ts'

/**
 * A model's own statement counts (`mayBeCharged` of its error). Without one, a request that the provider refused, or that never reached
 * it, costs nothing. Any other may have been answered, or half answered.
 */
export function mayBeCharged(error: unknown): boolean {
  const chain = causesOf(error)
  const declared = chain.map((facts) => facts['mayBeCharged']).find((value) => typeof value === 'boolean')
  if (declared !== undefined) return declared
  if (chain.some((facts) => statusOf(facts) !== undefined || facts['code'] === 'MODEL_CONFIG')) return false
  return classifyError(error ?? 'it failed without saying why').mayHaveHappened
}

/** What the error says that the reply used (`usage`), if it says it. */
export function usageOf(error: unknown): TokenUsage | undefined {
  for (const { usage } of causesOf(error)) {
    const { inputTokens, outputTokens, costMicros }: Partial<TokenUsage> = Object(usage)
    if (isCount(inputTokens) && isCount(outputTokens))
      return { inputTokens, outputTokens, ...(isCount(costMicros) && { costMicros }) }
  }
  return undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
