/**
 * A language model as the loop needs it: one question, one reply. Adapters belong to the program that names the model; this
 * package knows no provider.
 */

/** A call the model asks for. `args` is the JSON text as it came, so that a large number keeps its digits. */
export interface ToolCall {
  readonly id: string
  readonly tool: string
  readonly args: string
}

/** One message of a conversation with a model. */
export type Message =
  | { readonly role: 'system'; readonly text: string; readonly trimmed?: number }
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly tool: string
      readonly text: string
      readonly failed: boolean
    }

/** How a tool is described to a model. `input` is a JSON schema. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly input: Readonly<Record<string, unknown>>
}

/** How many tokens a reply took, and what it cost. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** What the provider says it cost, in millionths of a dollar. */
  readonly costMicros?: number
}

/** What a model is asked. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  readonly signal: AbortSignal
  /** The most the reply may take; what a budget sets aside for it. */
  readonly maxOutputTokens: number
  /** Pieces of the text as they arrive, from a model that streams. */
  readonly onText?: (piece: string) => void
  /** The reply should be one JSON value; a wish, which a model may not know of. Whoever asks checks what comes. */
  readonly format?: ReplyFormat
}

/** `schema` is a JSON schema. */
export interface ReplyFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** What a model answers: text, calls of tools, and what it cost. */
export interface ModelReply {
  readonly text?: string
  readonly calls?: readonly ToolCall[]
  /** Estimated from the texts where the provider does not say. */
  readonly usage?: TokenUsage
}

/**
 * A language model as the loop needs it: one request, one reply. `@agentm/agent-loop/models` has adapters.
 *
 * @example
 * ```ts
 * import type { Model } from '@agentm/agent-loop'
 *
 * const echo: Model = {
 *   respond: async ({ messages }) => ({ text: `You said: ${messages.at(-1)?.text ?? 'nothing'}` }),
 * }
 * ```
 */
export interface Model {
  /**
   * What so many tokens cost, in millionths of a dollar: set aside before each reply where a budget limits money, and
   * booked after one whose provider does not say.
   */
  costMicrosOf?(tokens: TokenUsage): number
  respond(request: ModelRequest): Promise<ModelReply>
}
