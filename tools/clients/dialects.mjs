// @ts-check
/** How each model protocol asks and answers, reduced to what a script needs. Every answer is streamed, as the clients ask for it. */
import { randomUUID } from 'node:crypto'

/**
 * One request. `results` are the tool results since the last prompt of a person, in order: the script goes by them, so that a
 * repeated request gets the same answer.
 * @typedef {object} Asked
 * @property {string} model
 * @property {readonly string[]} tools
 * @property {string} prompt what was said last by a person, with what the client or a hook added
 * @property {readonly string[]} results
 * @property {string} everything the whole request, as it came
 */

/**
 * What the model says next: a text, and tools to call by the client's own names.
 * @typedef {object} Turn
 * @property {string} [text]
 * @property {readonly (readonly [tool: string, input: Readonly<Record<string, unknown>> | string])[]} [calls] a text is the input of a tool that takes free text
 * @property {boolean} [isSilent] the server never answers, as if the model thought for ever
 * @property {{ readonly status: number, readonly headers?: Readonly<Record<string, string>>, readonly body: object }} [refused] what the server answers instead of a turn
 */

/** @typedef {import('node:http').ServerResponse} Response */
/** @typedef {any} Body */
/**
 * @typedef {object} Dialect
 * @property {(body: Body, path: string) => Asked} asked
 * @property {(response: Response, turn: Turn, body: Body, path: string) => void} answer
 */

/** @param {string} method @param {string} path @returns {Dialect | undefined} */
export function dialectOf(method, path) {
  if (method !== 'POST') return undefined
  const [place = ''] = path.split('?')
  if (place.endsWith('/messages')) return messages
  if (place.endsWith('/messages/count_tokens')) return tokenCount
  if (place.endsWith('/responses')) return responses
  if (place.endsWith('/chat/completions')) return completions
  if (place.includes('/models/')) return gemini
  return undefined
}

// Unique in every process, because a resumed session holds the ids of an earlier server, and a client drops what it has seen.
const newId = (/** @type {string} */ prefix) => `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 24)}`

/** @param {Response} response @param {readonly (readonly [event: string | undefined, data: object])[]} events */
function stream(response, events) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [event, data] of events)
    response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`)
  response.end()
}

/** @param {unknown} content a text, or parts with a text each @returns {string} */
function textOf(content) {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content)
  return content.map((part) => (typeof part === 'string' ? part : (part?.text ?? ''))).join('\n')
}

/**
 * @typedef {{ readonly kind: 'prompt' | 'result' | 'other', readonly text: string }} Said
 * @param {Body} body @param {readonly Said[]} said @param {readonly string[]} tools @param {string} [model]
 * @returns {Asked}
 */
function askedBy(body, said, tools, model = String(body.model)) {
  const at = said.findLastIndex(({ kind }) => kind === 'prompt')
  // Clients put what they add (reminders, context of hooks) into prompts of its own, next to the person's.
  let first = at
  while (first > 0 && said[first - 1]?.kind === 'prompt') first -= 1
  return {
    model,
    tools,
    prompt: said
      .slice(Math.max(first, 0), at + 1)
      .map(({ text }) => text)
      .join('\n'),
    results: said.slice(at + 1).flatMap(({ kind, text }) => (kind === 'result' ? [text] : [])),
    everything: JSON.stringify(body),
  }
}

/** @type {Dialect} */
const messages = {
  asked(body) {
    /** @type {Said[]} */
    const said = []
    for (const { role, content } of body.messages) {
      const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      for (const part of parts) {
        if (part.type === 'tool_result') said.push({ kind: 'result', text: textOf(part.content) })
        // A reminder beside a tool result is no prompt, nor is the filler of an empty message.
        else if (part.type === 'text' && role === 'user' && !parts.some(isToolResult) && part.text !== '(no content)')
          said.push({ kind: 'prompt', text: part.text })
        else said.push({ kind: 'other', text: '' })
      }
    }
    return askedBy(
      body,
      said,
      (body.tools ?? []).map((/** @type {Body} */ tool) => tool.name),
    )
  },
  answer(response, { text, calls = [] }, { model, stream: isStreamed }) {
    const blocks = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(([name, input]) => ({ type: 'tool_use', id: newId('toolu'), name, input })),
    ]
    const message = { id: newId('msg'), type: 'message', role: 'assistant', model }
    const usage = { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    const stop = { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null }
    if (isStreamed !== true) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ ...message, content: blocks, ...stop, usage }))
      return
    }
    const events = blocks.flatMap((block, index) => [
      [
        'content_block_start',
        {
          index,
          content_block: 'text' in block ? { type: 'text', text: '' } : { ...block, input: {} },
        },
      ],
      [
        'content_block_delta',
        {
          index,
          delta:
            'text' in block
              ? { type: 'text_delta', text: block.text }
              : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        },
      ],
      ['content_block_stop', { index }],
    ])
    stream(
      response,
      [
        ['message_start', { message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage } }],
        ...events,
        ['message_delta', { delta: stop, usage: { output_tokens: 20 } }],
        ['message_stop', {}],
      ].map(
        ([event, data]) => /** @type {[string, object]} */ ([event, { type: event, .../** @type {object} */ (data) }]),
      ),
    )
  },
}

/** @param {Body} part */
function isToolResult({ type }) {
  return type === 'tool_result'
}

/** @type {Dialect} */
const tokenCount = {
  asked: (body) => ({ model: String(body.model), tools: [], prompt: '', results: [], everything: '' }),
  answer(response) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end('{"input_tokens":100}')
  },
}

/** @type {Dialect} */
const responses = {
  asked(body) {
    /** @type {Said[]} */
    const said = (typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : body.input).map(
      (/** @type {Body} */ item) => {
        if (String(item.type).endsWith('_output')) return { kind: 'result', text: textOf(item.output) }
        if (item.role === 'user') return { kind: 'prompt', text: textOf(item.content) }
        return { kind: item.role === 'developer' ? 'prompt' : 'other', text: textOf(item.content) }
      },
    )
    return askedBy(body, said, (body.tools ?? []).flatMap(namesIn))
  },
  answer(response, { text, calls = [] }, { model }) {
    const output = [
      ...(text === undefined
        ? []
        : [
            {
              type: 'message',
              role: 'assistant',
              id: newId('msg'),
              content: [{ type: 'output_text', text, annotations: [] }],
            },
          ]),
      ...calls.map(([name, input]) =>
        typeof input === 'string'
          ? { type: 'custom_tool_call', id: newId('ctc'), call_id: newId('call'), name, input }
          : {
              type: 'function_call',
              id: newId('fc'),
              call_id: newId('call'),
              ...named(name),
              arguments: JSON.stringify(input),
            },
      ),
    ]
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 20,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 120,
    }
    const about = { id: newId('resp'), object: 'response', model }
    /** @type {readonly [string, object][]} */
    const events = [
      ['response.created', { response: { ...about, status: 'in_progress', output: [] } }],
      ...output.flatMap(
        (item, index) =>
          /** @type {[string, object][]} */ ([
            ['response.output_item.added', { output_index: index, item }],
            ['response.output_item.done', { output_index: index, item }],
          ]),
      ),
      ['response.completed', { response: { ...about, status: 'completed', output, usage } }],
    ]
    stream(
      response,
      events.map(([event, data], sequence) => [event, { type: event, sequence_number: sequence, ...data }]),
    )
  },
}

/** Codex puts the tools of an MCP server into a namespace: `space/tool` here. @param {string} name */
function named(name) {
  const [tool, namespace] = name.split('/').toReversed()
  return { name: tool, ...(namespace !== undefined && { namespace }) }
}

/** @param {Body} tool @returns {readonly string[]} */
function namesIn({ type, name = type, tools }) {
  return tools === undefined ? [name] : tools.map((/** @type {Body} */ tool) => `${name}/${tool.name}`)
}

/** @type {Dialect} */
const completions = {
  asked(body) {
    /** @type {Said[]} */
    const said = body.messages.map((/** @type {Body} */ { role, content }) => ({
      kind: role === 'tool' ? 'result' : role === 'user' ? 'prompt' : 'other',
      text: textOf(content),
    }))
    return askedBy(
      body,
      said,
      (body.tools ?? []).map((/** @type {Body} */ tool) => tool.function.name),
    )
  },
  answer(response, { text, calls = [] }, { model }) {
    const about = { id: newId('chatcmpl'), object: 'chat.completion.chunk', created: 1, model }
    const chunk = (/** @type {object} */ delta, /** @type {string | null} */ finish = null) => ({
      ...about,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    const called = calls.map(([name, input], index) => ({
      index,
      id: newId('call'),
      type: 'function',
      function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    }))
    stream(response, [
      [undefined, chunk({ role: 'assistant', content: text ?? '' })],
      ...called.map((call) => /** @type {[undefined, object]} */ ([undefined, chunk({ tool_calls: [call] })])),
      [undefined, chunk({}, calls.length > 0 ? 'tool_calls' : 'stop')],
      [undefined, { ...about, choices: [], usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 } }],
    ])
  },
}

/** @type {Dialect} */
const gemini = {
  asked(body, path) {
    /** @type {Said[]} */
    const said = (body.contents ?? []).flatMap((/** @type {Body} */ { role, parts }) =>
      parts.map((/** @type {Body} */ part) => {
        if (part.functionResponse !== undefined)
          return { kind: 'result', text: JSON.stringify(part.functionResponse.response) }
        return { kind: role === 'user' && part.text !== undefined ? 'prompt' : 'other', text: part.text ?? '' }
      }),
    )
    const tools = (body.tools ?? []).flatMap((/** @type {Body} */ tool) =>
      (tool.functionDeclarations ?? []).map((/** @type {Body} */ { name }) => name),
    )
    return askedBy(body, said, tools, /\/models\/([^:]+)/.exec(path)?.[1])
  },
  answer(response, { text, calls = [] }, _body, path) {
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(([name, args]) => ({ functionCall: { id: newId('call'), name, args } })),
    ]
    const answered = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
      modelVersion: 'scripted',
    }
    if (path.includes(':streamGenerateContent')) {
      stream(response, [[undefined, answered]])
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(path.includes(':countTokens') ? { totalTokens: 100 } : answered))
  },
}
