/** What one reply of the model costs: the amount reserved before it, and the amount counted after it. */
import type { TokenUsage } from '../model.ts'
import { nothing, type Spend } from './reserve.ts'
import type { TidyReply } from './tidy-reply.ts'
import { tokensOf } from './trim-context.ts'

/** What a reply says, and what the provider says that it took. */
export type ReplyText = Pick<TidyReply, 'text' | 'calls' | 'usage'>

/** The price of a number of tokens, in millionths of a dollar. */
export type Price = (tokens: TokenUsage) => number

/**
 * The most that a reply can cost. Without a price list, it is estimated from the cost so far. At least one millionth is reserved,
 * so that an exhausted budget allows no further reply.
 */
export function replyReserve(
  most: TokenUsage,
  { price, spent }: { readonly price: Price | undefined; readonly spent: Spend },
): Spend {
  const tokens = most.inputTokens + most.outputTokens
  const seen = spent.tokens > 0 ? (spent.costMicros / spent.tokens) * tokens : 0
  return { ...nothing, tokens, costMicros: Math.max(1, micros(price?.(most) ?? seen)) }
}

/** Uses the provider's figures, otherwise the price list, otherwise an estimate from the texts. */
export function replySpend(
  { usage, text, calls }: ReplyText,
  { estimate, price }: { readonly estimate: number; readonly price: Price | undefined },
): Spend {
  const inputTokens = usage === undefined ? estimate : whole(usage.inputTokens)
  const outputTokens = usage === undefined ? tokensOf([{ role: 'assistant', text, calls }]) : whole(usage.outputTokens)
  const costMicros = micros(usage?.costMicros ?? price?.({ inputTokens, outputTokens }) ?? 0)
  return { ...nothing, tokens: inputTokens + outputTokens, costMicros }
}

function whole(tokens: number): number {
  return Math.max(0, Math.trunc(tokens) || 0)
}

/** Rounded up, so that a price below one millionth counts. */
function micros(cost: number): number {
  return Number.isFinite(cost) ? Math.max(0, Math.ceil(cost)) : 0
}
