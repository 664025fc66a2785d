/** The body of a chat completions request, limited to fields that every endpoint accepts. */
import type { Message, ModelRequest, ReplyFormat, ToolCall } from '../../loop/model.ts'
import { fingerprint } from '../../loop/pure/fingerprint.ts'
import { type Sendable, sendable, withShown } from './sendable-media.ts'
import type { EndpointHabits } from './endpoint-habits.ts'

export interface ChatOptions {
  readonly model: string
  readonly habits: EndpointHabits
  /** More fields of the body, such as `temperature`. */
  readonly parameters?: Readonly<Record<string, unknown>>
}

type Body = Readonly<Record<string, unknown>>
type Request = Pick<ModelRequest, 'messages' | 'tools' | 'maxOutputTokens' | 'format' | 'media'> & {
  readonly stream: boolean
}

export function chatBody(
  { messages, tools, maxOutputTokens, format, stream, media }: Request,
  { model, habits, parameters }: ChatOptions,
): Body {
  return {
    ...parameters,
    model,
    messages: chatMessages(messages, media),
    [habits.tokenLimit]: maxOutputTokens,
    ...(tools.length > 0 && { tools: tools.map(({ input, ...spec }) => chatTool({ ...spec, parameters: input })) }),
    ...(format !== undefined && responseFormat(format, habits)),
    ...(habits.cacheKey && tools.length > 0 && { prompt_cache_key: conversationKey(messages, tools) }),
    ...(stream && { stream, ...(habits.streamUsage && { stream_options: { include_usage: true } }) }),
  }
}

/** The same for all requests of a conversation, and for others that begin as it does. It leads them to the machine that has them cached. */
function conversationKey(messages: readonly Message[], tools: ModelRequest['tools']): string {
  const asked = messages.findIndex(({ role }) => role === 'user')
  return `agentm-${fingerprint(JSON.stringify([tools, messages.slice(0, asked + 1)]))}`
}

function chatTool({ name, description, parameters }: Body): Body {
  return { type: 'function', function: { name, description, parameters } }
}

/** Not strict, because strict mode accepts only some schemas, and the caller checks the answer anyway. */
function responseFormat({ name, schema }: ReplyFormat, { format }: EndpointHabits): Body {
  switch (format) {
    case 'json_schema':
      return { response_format: { type: format, json_schema: { name: plainName(name), schema, strict: false } } }
    case 'json_object':
      return { response_format: { type: format } }
    default:
      return {}
  }
}

/** Instructions are one message at the beginning. Later ones are sent as user messages. */
function chatMessages(messages: readonly Message[], media: ModelRequest['media']): readonly Body[] {
  const head = messages.findIndex(({ role }) => role !== 'system')
  const [first, later] = head === -1 ? [messages, []] : [messages.slice(0, head), messages.slice(head)]
  const system = first.map(({ text }) => text).join('\n\n')
  return [
    ...(system === '' ? [] : [{ role: 'system', content: system }]),
    ...withShown(later, media).map((message) => chatMessage(message, media)),
  ]
}

function chatMessage(message: Message, media: ModelRequest['media']): Body {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: 'user', content: userContent(message, media) }
    case 'assistant':
      return assistantMessage(message.text, message.calls)
    default:
      return { role: 'tool', tool_call_id: message.callId, content: message.text }
  }
}

function userContent(message: Message, media: ModelRequest['media']): unknown {
  const parts = sendable(message, media)
  if (parts.length === 0) return message.text
  return [{ type: 'text', text: message.text }, ...parts.map(chatPart)]
}

function chatPart({ part: { kind, mediaType, name }, base64 }: Sendable): Body {
  const url = `data:${mediaType};base64,${base64}`
  return kind === 'image'
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename: name, file_data: url } }
}

function assistantMessage(text: string, calls: readonly ToolCall[]): Body {
  if (calls.length === 0) return { role: 'assistant', content: text }
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: calls.map(chatCall) }
}

function chatCall({ id, tool, args }: ToolCall): Body {
  return { id, type: 'function', function: { name: plainName(tool), arguments: validJson(args) } }
}

/** Endpoints refuse a conversation with a tool name that they consider invalid. */
function plainName(name: string): string {
  return (
    name
      .trim()
      .replaceAll(/[^\w-]/g, '_')
      .slice(0, 64) || '_'
  )
}

/** Some endpoints refuse a conversation with invalid JSON arguments, even if their own model wrote them. */
function validJson(args: string): string {
  if (args.trim() === '') return '{}'
  try {
    JSON.parse(args)
    return args
  } catch {
    return JSON.stringify({ unreadable: args })
  }
}
