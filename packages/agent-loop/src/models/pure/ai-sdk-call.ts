/** A request in the form that models of the AI SDK take. */
import type { Message, ModelRequest, ToolCall } from '../../loop/model.ts'
import { type Sendable, sendable, withShown } from './sendable-media.ts'
import type { AiSdkCall } from '../ai-sdk-model.ts'

export function callOf(
  { messages, tools, maxOutputTokens, signal, format, media }: ModelRequest,
  cacheMarks: boolean,
): AiSdkCall {
  const functions = tools.map(({ name, description, input }) => ({
    type: 'function',
    name,
    description,
    inputSchema: input,
  }))
  return {
    // A question without tools is asked once, and writing it into a cache would only cost more.
    prompt: (cacheMarks && tools.length > 0 ? marked(promptOf(messages, media)) : promptOf(messages, media)) as never[],
    maxOutputTokens,
    abortSignal: signal,
    ...(functions.length > 0 && { tools: functions as never[] }),
    ...(format !== undefined && { responseFormat: { type: 'json', schema: format.schema, name: format.name } }),
  }
}

interface PromptMessage {
  readonly role: string
  readonly content: string | readonly object[]
  readonly providerOptions?: object
}

interface SaidMessage {
  readonly role: string
  readonly content: readonly object[]
}

const mark = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/**
 * Marks where the part that may be cached ends: after the instructions (the tools come before them), after what was asked the last time,
 * and after what is asked now. So each request finds what the one before it wrote.
 */
function marked(prompt: readonly PromptMessage[]): readonly PromptMessage[] {
  const ends = [
    prompt.findLastIndex(({ role }) => role === 'system'),
    prompt.findLastIndex(({ role }) => role === 'assistant') - 1,
    prompt.length - 1,
  ]
  return prompt.map((message, i) => (ends.includes(i) ? { ...message, providerOptions: mark } : message))
}

/** System messages come first; later ones are sent as user messages. The results of one reply are one message. */
function promptOf(messages: readonly Message[], media: ModelRequest['media']): readonly PromptMessage[] {
  const head = messages.findIndex(({ role }) => role !== 'system')
  const first = head === -1 ? messages : messages.slice(0, head)
  const said = withShown(messages.slice(first.length), media).map((message) => promptMessage(message, media))
  const prompt: SaidMessage[] = []
  for (const message of said) {
    const before = prompt.at(-1)
    if (message.role === 'tool' && before?.role === 'tool')
      prompt[prompt.length - 1] = { ...before, content: [...before.content, ...message.content] }
    else prompt.push(message)
  }
  return [...first.map(({ text }) => ({ role: 'system', content: text })), ...prompt]
}

function promptMessage(message: Message, media: ModelRequest['media']): SaidMessage {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', content: [...textPart(message.text), ...message.calls.map(callPart)] }
    case 'tool': {
      const { callId: toolCallId, tool: toolName, text: value, failed } = message
      const output = { type: failed ? 'error-text' : 'text', value }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    default:
      return { role: 'user', content: [...textPart(message.text), ...sendable(message, media).map(filePart)] }
  }
}

function textPart(text: string): readonly object[] {
  return text === '' ? [] : [{ type: 'text', text }]
}

function filePart({ part: { mediaType, name: filename }, base64: data }: Sendable): object {
  return { type: 'file', mediaType, filename, data }
}

function callPart({ id, tool, args }: ToolCall): object {
  return { type: 'tool-call', toolCallId: id, toolName: tool, input: parsedArgs(args) }
}

function parsedArgs(args: string): unknown {
  if (args.trim() === '') return {}
  try {
    return JSON.parse(args)
  } catch {
    return { unreadable: args }
  }
}
