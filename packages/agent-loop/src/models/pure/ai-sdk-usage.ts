/** How many tokens a model of the AI SDK took, whatever version of the SDK its provider is of. */
import type { AiSdkMetadata, AiSdkUsage } from '../ai-sdk-model.ts'
import type { CachedTokens, ModelPrice } from './model-price.ts'

export interface TakenTokens {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The parts of the input that were read from the cache and written into it. */
  readonly cached: CachedTokens
}

/** `undefined` if the provider does not say. */
export function tokensIn(used: AiSdkUsage | undefined, metadata: AiSdkMetadata | undefined): TakenTokens | undefined {
  const outputTokens = typeof used?.outputTokens === 'object' ? used.outputTokens.total : used?.outputTokens
  const input = used?.inputTokens
  if (input === undefined || outputTokens === undefined) return undefined
  if (typeof input === 'object') {
    const { total, cacheRead = 0, cacheWrite = 0 } = input
    return total === undefined
      ? undefined
      : { inputTokens: total, outputTokens, cached: { read: cacheRead, written: cacheWrite } }
  }
  const read = used?.cachedInputTokens ?? 0
  const anthropic = metadata?.['anthropic']
  if (anthropic === undefined) return { inputTokens: input, outputTokens, cached: { read } }
  // In version 5, Anthropic's provider leaves cached tokens out of the sum.
  const written = numberOr0(anthropic['cacheCreationInputTokens'])
  return { inputTokens: input + read + written, outputTokens, cached: { read, written } }
}

function numberOr0(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

/** Anthropic takes a quarter more for input that it writes into its cache. A price list that does not say so must not book too little. */
export function withWritePrice(price: ModelPrice, provider: string): ModelPrice {
  if (price.cacheWrite !== undefined || !provider.includes('anthropic')) return price
  return { ...price, cacheWrite: price.input * 1.25 }
}
