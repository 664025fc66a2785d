/**
 * What of a conversation may be stored. Some tools handle data that is stored elsewhere and must be erasable there. For them, the
 * log stores a record in place of the arguments and answers.
 */
import { redactSecrets, redactValue } from '@agentm/nodes'
import type { Message, ToolCall } from './model.ts'
import { structuredError } from './pure/classify-error.ts'
import { unansweredCalls } from './pure/unanswered-calls.ts'
import { failedCall } from './run-tool.ts'
import type { Tool } from './tool.ts'

/** The arguments of a call in the form that the log stores, as JSON text. */
export function keptArgs(tools: readonly Tool[], { tool: name, args }: Pick<ToolCall, 'tool' | 'args'>): string {
  const tool = tools.find((candidate) => candidate.name === name.trim())
  if (tool?.recordArgs === undefined) return maskedArgs(args)
  try {
    return JSON.stringify(tool.recordArgs(tool.parse(JSON.parse(args)))) ?? notKept
  } catch {
    // Arguments that cannot be parsed may still contain such data.
    return notKept
  }
}

/** Looked at as values, because in JSON text the quotes within a value are escaped, and a secret between them is not found. */
function maskedArgs(args: string): string {
  try {
    const given: unknown = JSON.parse(args)
    const masked: unknown = redactValue(given)
    return redactSecrets(masked === given ? args : JSON.stringify(masked))
  } catch {
    return redactSecrets(args)
  }
}

const notKept = JSON.stringify('[not kept]')

/**
 * The conversation in the form that a checkpoint stores. If the arguments of a pending call must not be stored, the call gets an
 * answer that asks the model to repeat it.
 */
export function keptMessages(
  messages: readonly Message[],
  { tools, records }: { readonly tools: readonly Tool[]; readonly records: ReadonlyMap<string, string> },
): readonly Message[] {
  const isKept = (call: ToolCall): boolean => keptArgs(tools, call) === call.args
  const lost = unansweredCalls(messages, Number.MAX_SAFE_INTEGER).made.filter((call) => !isKept(call))
  const { text } = failedCall(structuredError('unavailable', 'not called yet: make this call again', 0), false)
  return [
    ...messages.map((message) => keptMessage(message, tools, records)),
    ...lost.map(({ id: callId, tool }) => ({ role: 'tool', callId, tool, text, failed: true }) as const),
  ]
}

/** Each message has one stored form, always the same object, so that it can be compared with the stored version. */
const keptForms = new WeakMap<Message, Message>()

function keptMessage(message: Message, tools: readonly Tool[], records: ReadonlyMap<string, string>): Message {
  const known = keptForms.get(message)
  if (known !== undefined) return known
  const kept = keptForm(message, tools, records)
  keptForms.set(message, kept)
  return kept
}

function keptForm(message: Message, tools: readonly Tool[], records: ReadonlyMap<string, string>): Message {
  switch (message.role) {
    case 'assistant': {
      const args = message.calls.map((call) => keptArgs(tools, call))
      const text = redactSecrets(message.text)
      if (text === message.text && message.calls.every((call, i) => call.args === args[i])) return message
      return { ...message, text, calls: message.calls.map((call, i) => ({ ...call, args: args[i] ?? notKept })) }
    }
    case 'tool': {
      const text = records.get(message.callId)
      return text === undefined ? message : { ...message, text }
    }
    default:
      return message
  }
}
