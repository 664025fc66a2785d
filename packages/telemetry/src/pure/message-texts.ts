/** Messages as the GenAI conventions write them in attributes: JSON, with parts. Secrets are masked. */
import type { Message, ModelReply, ToolCall } from '@agentm/agent-loop'
import { redactValue } from '@agentm/nodes'

export function inputMessages(messages: readonly Message[]): string {
  return masked(messages.map((message) => ({ role: message.role, parts: partsOf(message) })))
}

export function outputMessages({ text = '', calls = [] }: ModelReply): string {
  return masked([{ role: 'assistant', parts: [...textParts(text), ...calls.map(callPart)] }])
}

/** Any value as JSON, without the secrets in its texts. */
export function masked(value: unknown): string {
  return JSON.stringify(redactValue(value)) ?? ''
}

function partsOf(message: Message): readonly unknown[] {
  if (message.role === 'tool') return [{ type: 'tool_call_response', id: message.callId, response: message.text }]
  const calls = message.role === 'assistant' ? message.calls.map(callPart) : []
  return [...textParts(message.text), ...calls]
}

function textParts(text: string): readonly unknown[] {
  return text === '' ? [] : [{ type: 'text', content: text }]
}

function callPart({ id, tool, args }: ToolCall): unknown {
  return { type: 'tool_call', id, name: tool, arguments: args }
}
