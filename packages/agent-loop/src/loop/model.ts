/**
 * A language model in the form that the loop needs: one request, one reply. The program that chooses the model provides the
 * adapter; this package depends on no provider.
 */

import type { MediaPart } from '../media/media-part.ts'

/** A call that the model asks for. `args` is the original JSON text, so that large numbers keep all digits. */
export interface ToolCall {
  readonly id: string
  readonly tool: string
  readonly args: string
}

/** One message of a conversation with a model. */
export type Message =
  /** `trimmed` messages were left out, and `summary` says in short what they said. */
  | { readonly role: 'system'; readonly text: string; readonly trimmed?: number; readonly summary?: string }
  /** `parts` are pictures and documents that belong to the text. */
  | { readonly role: 'user'; readonly text: string; readonly parts?: readonly MediaPart[] }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ToolCall[] }
  | {
      readonly role: 'tool'
      readonly callId: string
      readonly tool: string
      readonly text: string
      readonly failed: boolean
      readonly parts?: readonly MediaPart[]
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
  /** The cost according to the provider, in millionths of a dollar. */
  readonly costMicros?: number
}

/** What a model is asked. */
export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSpec[]
  readonly signal: AbortSignal
  /** The most tokens of the reply. A budget reserves this amount. */
  readonly maxOutputTokens: number
  /** Gets the text piece by piece as it arrives, if the model streams. */
  readonly onText?: (piece: string) => void
  /** The bytes of the pictures and documents in the messages, by their hash. A part without bytes is not sent. */
  readonly media?: ReadonlyMap<string, Uint8Array>
  /** Asks for a reply that is one JSON value. A model may not support it, so the caller checks the reply. */
  readonly format?: ReplyFormat
  /**
   * Called by a model that wants to ask its provider again for the same reply, with the reason. The answer is `false` if the budget does
   * not cover another reply beside the one that broke off. Then the model throws that reason.
   */
  readonly mayAskAgain?: (error: unknown) => Promise<boolean>
}

/** `schema` is a JSON schema. */
export interface ReplyFormat {
  readonly name: string
  readonly schema: Readonly<Record<string, unknown>>
}

/** The reply of a model: text, calls of tools, and its usage. */
export interface ModelReply {
  readonly text?: string
  readonly calls?: readonly ToolCall[]
  /** Estimated from the texts if the provider does not report it. */
  readonly usage?: TokenUsage
  /** What the trace should say about how the reply came about. */
  readonly note?: string
}

/**
 * A language model in the form that the loop needs: one request, one reply. `@agentm/agent-loop/models` has adapters.
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
   * The price of this many tokens, in millionths of a dollar. It is reserved before each reply if a budget limits money, and
   * counted after a reply if the provider does not report its cost.
   */
  costMicrosOf?(tokens: TokenUsage): number
  respond(request: ModelRequest): Promise<ModelReply>
}
