/**
 * What of a conversation may be written down. Some tools speak of what lives elsewhere and has to be erasable there: of their
 * arguments and answers a record is kept, and never the words.
 */
import { redactSecrets } from '@agentm/nodes'
import type { Message, ToolCall } from './model.ts'
import { structuredError } from './pure/classify-error.ts'
import { unansweredCalls } from './pure/unanswered-calls.ts'
import { failedCall } from './run-tool.ts'
import type { Tool } from './tool.ts'

/** The arguments of a call as the log keeps them, as JSON text. */
export function keptArgs(tools: readonly Tool[], { tool: name, args }: Pick<ToolCall, 'tool' | 'args'>): string {
  const tool = tools.find((candidate) => candidate.name === name.trim())
  if (tool?.recordArgs === undefined) return redactSecrets(args)
  try {
    return JSON.stringify(tool.recordArgs(tool.parse(JSON.parse(args)))) ?? notKept
  } catch {
    // Arguments that cannot be read hold words all the same.
    return notKept
  }
}

const notKept = JSON.stringify('[not kept]')

/**
 * The conversation as a checkpoint keeps it. A call that is still to be made, and whose arguments are not kept, is answered
 * with a request to make it again.
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

/** Each message has one stored form, always the same object, by which its stored version is recognised. */
const keptForms = new WeakMap<Message, Message>()

function keptMessage(message: Message, tools: readonly Tool[], records: ReadonlyMap<string, string>): Message {
  const known = keptForms.get(message)
  if (known !== undefined) return known
  const kept = keptForm(message, tools, records)
  if (kept !== message) keptForms.set(message, kept)
  return kept
}

function keptForm(message: Message, tools: readonly Tool[], records: ReadonlyMap<string, string>): Message {
  switch (message.role) {
    case 'assistant': {
      const args = message.calls.map((call) => keptArgs(tools, call))
      if (message.calls.every((call, i) => call.args === args[i])) return message
      return { ...message, calls: message.calls.map((call, i) => ({ ...call, args: args[i] ?? notKept })) }
    }
    case 'tool': {
      const text = records.get(message.callId)
      return text === undefined ? message : { ...message, text }
    }
    default:
      return message
  }
}
