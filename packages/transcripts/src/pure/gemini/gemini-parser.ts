/**
 * Gemini CLI: `tmp/<project>/chats/session-<time>-<id>.jsonl`, and `chats/<session>/<id>.jsonl` of a sub-agent. A line is the head of the
 * session, a message, `{ $set }` or `{ $rewindTo }`. A message is written again whenever something was added to it, so the parser remembers
 * what it gave of each. Older versions wrote one JSON document; its messages are given to this parser one by one.
 */
import {
  jsonLength,
  field,
  firstText,
  listOf,
  numberOf,
  objectOf,
  objectsOf,
  textOf,
  timeOf,
  type JsonObject,
} from '../json-object.ts'
import { knownFields } from '../known-fields.ts'
import { fingerprint } from '../fingerprint.ts'
import {
  beginning,
  bookkeeping,
  defineParser,
  unknown,
  type EventBody,
  type ParserState,
  type ReadPart,
} from '../transcript-parser.ts'
import { geminiResult, geminiTexts, partsOf } from './gemini-result.ts'
import { geminiToolUse } from './gemini-tools.ts'

interface State extends ParserState {
  readonly isBegun: boolean
  readonly cwd?: string
  readonly title?: string
  /** What was given: `<message>/<part>` for messages, `c/<call>` and `r/<call>` for calls and their results; as fingerprints. */
  readonly given: readonly string[]
}

const most = 4000

/** Reads the session files of Gemini CLI. */
export const geminiParser = defineParser<State>({
  host: 'gemini',
  start: (about) => ({ ...beginning(about), ...knownFields({ cwd: about.cwd }), isBegun: false, given: [] }),
  read: (state, record) => ({ ...readRecord(state, record), at: timeAt(record) }),
})

function timeAt(record: JsonObject): number | undefined {
  return timeOf(record['timestamp'] ?? record['startTime'] ?? field(objectOf(record['$set']), 'lastUpdated'))
}

type Read = ReadPart<State>

function readRecord(state: State, record: JsonObject): Read {
  const rewound = textOf(record['$rewindTo'])
  if (rewound !== undefined) return { state, events: [{ type: 'rewind', to: rewound }] }
  const update = objectOf(record['$set'])
  if (update !== undefined) return readUpdate(state, update)
  if (textOf(record['id']) !== undefined) return readMessage(state, record)
  if (textOf(record['sessionId']) !== undefined) return readHead(state, record)
  return { state, events: [unknown(record['type'], jsonLength(record))] }
}

/** A host that resumes a session writes its head again; only the first one begins it. */
function readHead(before: State, head: JsonObject): Read {
  const own = firstText(head, 'sessionId') ?? ''
  const isAgent = head['kind'] === 'subagent'
  const parent = isAgent && before.session !== own ? textOf(before.session) : undefined
  const session = parent ?? own
  const state = { ...before, isBegun: true, session, ...(isAgent ? { agent: own } : {}) }
  const event: EventBody = {
    type: 'session',
    ...knownFields({ cwd: before.cwd }),
    ...(parent === undefined ? {} : { parent: { session: parent, why: 'sub-agent' } }),
  }
  const messages = readMessages(state, listOf(head['messages']))
  return { state: messages.state, events: [before.isBegun ? bookkeeping('head') : event, ...messages.events] }
}

function readUpdate(before: State, update: JsonObject): Read {
  const title = firstText(update, 'summary')
  const isNew = title !== undefined && title !== before.title
  const state = isNew ? { ...before, title } : before
  const messages = readMessages(state, listOf(update['messages']))
  const titles: readonly EventBody[] = isNew ? [{ type: 'session', title }] : []
  const events = [...titles, ...messages.events]
  return { state: messages.state, events: events.length > 0 ? events : [bookkeeping('$set')] }
}

/** A whole history: after a compaction, or one that was brought along. What was given before is not given again. */
function readMessages(before: State, messages: readonly JsonObject[string][]): Read {
  let state = before
  const events: EventBody[] = []
  for (const message of messages) {
    const object = objectOf(message)
    const read =
      object === undefined ? { state, events: [unknown('message', jsonLength(message))] } : readMessage(state, object)
    state = read.state
    events.push(...read.events.filter(({ type }) => type !== 'bookkeeping'))
  }
  return { state, events }
}

function readMessage(state: State, message: JsonObject): Read {
  const type = textOf(message['type'])
  const own = new Given(state, firstText(message, 'id') ?? '')
  if (type === 'user') return own.read(userEvents(own, message, state.agent !== undefined))
  if (type === 'gemini') return own.read(modelEvents(own, message))
  if (type === 'error') return own.read(own.once('error', () => [{ type: 'error', text: allText(message) }]))
  const isKnown = type === 'info' || type === 'warning'
  return own.read([isKnown ? bookkeeping(type) : unknown(type, jsonLength(message))])
}

const allText = (message: JsonObject) => geminiTexts(message['content']).join('\n')

/** What was given of one message, while it is read. */
class Given {
  readonly #state: State
  readonly #message: string
  readonly #added: string[] = []
  readonly #known: ReadonlySet<string>

  constructor(state: State, message: string) {
    this.#state = state
    this.#message = message
    this.#known = new Set(state.given)
  }

  /** The events, unless this part of the message was given before. */
  once(part: string, events: () => readonly EventBody[]): readonly EventBody[] {
    return this.#once(`${this.#message}/${part}`, events)
  }

  /** The events, unless this call or result was given before, with whatever message. */
  onceOfAll(part: string, events: () => readonly EventBody[]): readonly EventBody[] {
    return this.#once(part, events)
  }

  read(events: readonly EventBody[]): Read {
    if (this.#added.length === 0) return { state: this.#state, events }
    return { state: { ...this.#state, given: [...this.#state.given, ...this.#added].slice(-most) }, events }
  }

  #once(part: string, events: () => readonly EventBody[]): readonly EventBody[] {
    const print = fingerprint(part)
    if (this.#known.has(print) || this.#added.includes(print)) return []
    const made = events()
    if (made.length > 0) this.#added.push(print)
    return made
  }
}

function userEvents(own: Given, message: JsonObject, isAgent: boolean): readonly EventBody[] {
  const answers = partsOf(message['content']).flatMap((part) => responseEvents(own, part))
  const text = allText(message)
  const shown = geminiTexts(message['displayContent']).join('\n')
  const id = firstText(message, 'id')
  const typed = own.once('text', () => textEvents({ text, shown, isAgent, id }))
  return [...answers, ...typed]
}

interface UserText {
  readonly text: string
  /** What the person saw of it, if that is something else: files that they named are added behind it. */
  readonly shown: string
  readonly isAgent: boolean
  readonly id: string | undefined
}

function textEvents({ text, shown, isAgent, id }: UserText): readonly EventBody[] {
  const { typed, added } = withoutContext(shown === '' ? text : shown)
  const context: readonly EventBody[] = added === '' ? [] : [{ type: 'context', text: added }]
  if (typed.trim() === '') return context
  if (/^\s*<state_snapshot>/.test(text)) return [{ type: 'compaction', summary: text }]
  if (isAgent || isOwn(typed.trim())) return [{ type: 'context', text }]
  const prompt: EventBody = { type: 'prompt', text: typed, ...knownFields({ id }) }
  return shown === '' || shown === text ? [...context, prompt] : [prompt, { type: 'context', text }]
}

const [opened, closed] = ['<hook_context>', '</hook_context>']

/** What hooks added is written around what a person typed: before it in a run without a terminal, and behind it for a prompt. */
function withoutContext(text: string): { readonly typed: string; readonly added: string } {
  const added: string[] = []
  let typed = text
  for (let rest = text.trimStart(); rest.startsWith(opened) && rest.includes(closed); typed = rest) {
    const end = rest.indexOf(closed) + closed.length
    added.push(rest.slice(0, end))
    rest = rest.slice(end).trimStart()
  }
  for (let rest = typed.trimEnd(); rest.endsWith(closed) && rest.includes(opened); typed = rest) {
    const start = rest.lastIndexOf(opened)
    added.push(rest.slice(start))
    rest = rest.slice(0, start).trimEnd()
  }
  return { typed, added: added.join('\n') }
}

/** The host's own messages, and commands to the program (`/help`), which are not sent to the model. */
function isOwn(text: string): boolean {
  return /^<(?:session_context|untrusted_context|intent_summary)>/.test(text) || /^[/?][\w-]*(?:\s|$)/.test(text)
}

function responseEvents(own: Given, part: JsonObject): readonly EventBody[] {
  const response = objectOf(part['functionResponse'])
  const call = firstText(response, 'id')
  if (response === undefined || call === undefined) return []
  const tool = firstText(response, 'name') ?? ''
  return own.onceOfAll(`r/${call}`, () => [resultEvent({ call, tool, result: [part], isError: undefined })])
}

interface Answer {
  readonly call: string
  readonly tool: string
  readonly result: JsonObject[string]
  /** What the status of the call says; `undefined` if there is none. */
  readonly isError: boolean | undefined
}

function resultEvent({ call, tool, result, isError }: Answer): EventBody {
  const { text, exitCode } = geminiResult(result, tool)
  const hasError = partsOf(result).some(
    (part) => firstText(objectOf(field(objectOf(part['functionResponse']), 'response')), 'error') !== undefined,
  )
  return {
    type: 'result',
    call,
    text,
    isError: (isError ?? hasError) || (exitCode ?? 0) !== 0,
    ...knownFields({ exitCode }),
  }
}

function modelEvents(own: Given, message: JsonObject): readonly EventBody[] {
  const model = firstText(message, 'model')
  const said = knownFields({ model })
  const thoughts = objectsOf(message['thoughts']).flatMap((thought, index) =>
    own.once(`thought/${index}`, () => thoughtEvents(thought)),
  )
  const text = allText(message)
  const reply = own.once('text', () => (text.trim() === '' ? [] : [{ type: 'reply', text, ...said }]))
  const calls = [...objectsOf(message['toolCalls']), ...callParts(message)].flatMap((call) => callEvents(own, call))
  const tokens = objectOf(message['tokens'])
  const usage = tokens === undefined ? [] : own.once('tokens', () => [{ type: 'usage', ...said, ...counts(tokens) }])
  return [...thoughts, ...reply, ...calls, ...usage]
}

/** After a compaction the calls stand in the content. */
function callParts(message: JsonObject): readonly JsonObject[] {
  return partsOf(message['content'])
    .map((part) => objectOf(part['functionCall']))
    .filter((call) => call !== undefined)
}

function thoughtEvents(thought: JsonObject): readonly EventBody[] {
  const text = [firstText(thought, 'subject'), firstText(thought, 'description')]
    .filter((part) => part !== undefined)
    .join(': ')
  return text === '' ? [] : [{ type: 'thought', text }]
}

function counts(tokens: JsonObject) {
  const thoughts = numberOf(tokens['thoughts']) ?? 0
  return {
    inputTokens: numberOf(tokens['input']) ?? 0,
    outputTokens: (numberOf(tokens['output']) ?? 0) + thoughts,
    cachedTokens: numberOf(tokens['cached']) ?? 0,
  }
}

function callEvents(own: Given, call: JsonObject): readonly EventBody[] {
  const id = firstText(call, 'id')
  const tool = firstText(call, 'name') ?? ''
  if (id === undefined) return []
  const input = objectOf(call['args']) ?? {}
  const asked = own.onceOfAll(`c/${id}`, () => [{ type: 'call', id, tool, input, use: geminiToolUse(tool, input) }])
  const status = firstText(call, 'status')
  const isOver = status === 'success' || status === 'error' || status === 'cancelled'
  const isError = status !== 'success'
  const answered = isOver
    ? own.onceOfAll(`r/${id}`, () => [resultEvent({ call: id, tool, result: call['result'], isError })])
    : []
  return [...asked, ...answered]
}
