/**
 * opencode: a SQLite database since version 1.2, and a file for each session, message and part before. The reader gives one record for the
 * session whenever it changed (`{ session }`), one for each part of a message (`{ message, part }`), and one when a message is complete
 * (`{ message }`).
 */
import { jsonLength, field, firstText, numberOf, objectOf, textOf, timeOf, type JsonObject } from '../json-object.ts'
import {
  beginning,
  bookkeeping,
  defineParser,
  unknown,
  type EventBody,
  type ParserState,
  type ReadPart,
  type ReadRecord,
} from '../transcript-parser.ts'
import { knownFields } from '../known-fields.ts'
import { opencodeToolUse } from './opencode-tools.ts'

interface State extends ParserState {
  readonly told?: { readonly cwd?: string; readonly title?: string; readonly version?: string }
  readonly rewound?: string
}

/** Reads the records of opencode. */
export const opencodeParser = defineParser<State>({
  host: 'opencode',
  start: beginning,
  read: (state, record) => {
    const session = objectOf(record['session'])
    if (session !== undefined)
      return { ...readSession(state, session), at: timeOf(field(objectOf(session['time']), 'updated')) }
    const message = objectOf(record['message'])
    if (message === undefined) return { state, events: [unknown(record['type'], jsonLength(record))] }
    return readMessage(state, message, record)
  },
})

type Read = ReadPart<State>

function readSession(before: State, session: JsonObject): Read {
  const parentId = firstText(session, 'parentID')
  const told = sessionFields(session)
  const isSame = JSON.stringify(told) === JSON.stringify(before.told)
  const parent = parentId === undefined || before.told !== undefined ? {} : { parent: parentEvent(before, parentId) }
  const moved: readonly EventBody[] = isSame ? [] : [{ type: 'session', ...told, ...parent }]
  const to = firstText(objectOf(session['revert']), 'messageID')
  const rewind: readonly EventBody[] = to === undefined || to === before.rewound ? [] : [{ type: 'rewind', to }]
  const { rewound: _rewound, ...rest } = before
  const state = {
    ...rest,
    session: textOf(before.session) ?? parentId ?? firstText(session, 'id') ?? '',
    told,
    ...knownFields({ rewound: to }),
  }
  const events = [...moved, ...rewind]
  return { state, events: events.length > 0 ? events : [bookkeeping('session')] }
}

function sessionFields(session: JsonObject) {
  const cwd = firstText(session, 'directory')
  const title = firstText(session, 'title')
  const version = firstText(session, 'version')
  return knownFields({ cwd, title, version })
}

/** A session with a parent is a sub-agent of it, or a fork that the person made. */
function parentEvent(state: State, session: string) {
  return { session, why: state.agent === undefined ? ('forked' as const) : ('sub-agent' as const) }
}

function readMessage(state: State, message: JsonObject, record: JsonObject): ReadRecord<State> {
  const time = objectOf(message['time'])
  const part = objectOf(record['part'])
  if (part === undefined) {
    const at = timeOf(field(time, 'completed')) ?? timeOf(field(time, 'created'))
    return { state, events: endOf(message), at }
  }
  const events = message['role'] === 'user' ? userPart(state, message, part) : modelPart(message, part)
  const partTime = objectOf(part['time']) ?? objectOf(field(objectOf(part['state']), 'time'))
  const at = timeOf(field(partTime, 'end')) ?? timeOf(field(partTime, 'start')) ?? timeOf(field(time, 'created'))
  return { state, events, at }
}

function endOf(message: JsonObject): readonly EventBody[] {
  const error = objectOf(message['error'])
  if (error === undefined) return [bookkeeping('message')]
  return [{ type: 'error', text: errorText(error) }]
}

function errorText(error: JsonObject): string {
  const name = firstText(error, 'name') ?? 'error'
  const message = firstText(objectOf(error['data']), 'message') ?? firstText(error, 'message')
  return message === undefined ? name : `${name}: ${message}`
}

function userPart(state: State, message: JsonObject, part: JsonObject): readonly EventBody[] {
  const type = textOf(part['type'])
  const text = firstText(part, 'text')
  if (type === 'text' && text !== undefined) return [typedText(state, message, { part, text })]
  if (type === 'compaction' || type === 'agent') return [bookkeeping(`part/${type}`)]
  if (type === 'file')
    return [{ type: 'context', text: `[file ${firstText(part, 'filename') ?? firstText(part, 'mime') ?? ''}]` }]
  if (type === 'subtask') return [taskCall(part)]
  return otherPart(part, type)
}

function typedText(
  state: State,
  message: JsonObject,
  { part, text }: { readonly part: JsonObject; readonly text: string },
): EventBody {
  const isTyped = part['synthetic'] !== true && part['ignored'] !== true && state.agent === undefined
  const trimmed = text.trim()
  const isReminder = trimmed.startsWith('<system-reminder>') && trimmed.endsWith('</system-reminder>')
  if (!isTyped || isReminder) return { type: 'context', text }
  const id = firstText(message, 'id')
  return { type: 'prompt', text, ...knownFields({ id }) }
}

function taskCall(part: JsonObject): EventBody {
  const prompt = firstText(part, 'prompt') ?? ''
  const input = { agent: firstText(part, 'agent') ?? '', prompt }
  return { type: 'call', id: firstText(part, 'id') ?? '', tool: 'subtask', input, use: { does: 'agent', prompt } }
}

function modelPart(message: JsonObject, part: JsonObject): readonly EventBody[] {
  const type = textOf(part['type'])
  const text = firstText(part, 'text')
  if (type === 'text') return text === undefined ? [bookkeeping('part/text')] : [saidText(message, text)]
  if (type === 'reasoning') return [text === undefined ? bookkeeping('part/reasoning') : { type: 'thought', text }]
  if (type === 'tool') return toolEvents(part)
  if (type === 'step-finish') return [usage(message, objectOf(part['tokens']))]
  if (type === 'retry') return [{ type: 'error', text: errorText(objectOf(part['error']) ?? {}) }]
  return otherPart(part, type)
}

/** The answer to a request for a summary is the summary of a compaction. */
function saidText(message: JsonObject, text: string): EventBody {
  if (message['summary'] === true) return { type: 'compaction', summary: text }
  const model = firstText(message, 'modelID')
  return { type: 'reply', text, ...knownFields({ model }) }
}

function otherPart(part: JsonObject, type: string | undefined): readonly EventBody[] {
  const isKnown = type !== undefined && quiet.has(type)
  return [isKnown ? bookkeeping(`part/${type}`) : unknown(`part/${type ?? ''}`, jsonLength(part))]
}

const quiet = new Set(['agent', 'compaction', 'file', 'patch', 'snapshot', 'step-finish', 'step-start', 'text'])

function toolEvents(part: JsonObject): readonly EventBody[] {
  const id = firstText(part, 'callID', 'id') ?? ''
  const tool = firstText(part, 'tool') ?? ''
  const state = objectOf(part['state'])
  const input = objectOf(field(state, 'input')) ?? {}
  const call: EventBody = { type: 'call', id, tool, input, use: opencodeToolUse(tool, input) }
  const status = field(state, 'status')
  if (status !== 'completed' && status !== 'error') return [call]
  const exitCode = numberOf(field(objectOf(field(state, 'metadata')), 'exit'))
  return [
    call,
    {
      type: 'result',
      call: id,
      text: firstText(state, status === 'error' ? 'error' : 'output') ?? '',
      isError: status === 'error' || (exitCode ?? 0) !== 0,
      ...knownFields({ exitCode }),
    },
  ]
}

function usage(message: JsonObject, tokens: JsonObject | undefined): EventBody {
  const cache = objectOf(field(tokens, 'cache'))
  const cached = numberOf(field(cache, 'read')) ?? 0
  const made = numberOf(field(cache, 'write')) ?? 0
  const model = firstText(message, 'modelID')
  return {
    type: 'usage',
    ...knownFields({ model }),
    inputTokens: (numberOf(field(tokens, 'input')) ?? 0) + cached + made,
    outputTokens: (numberOf(field(tokens, 'output')) ?? 0) + (numberOf(field(tokens, 'reasoning')) ?? 0),
    cachedTokens: cached,
  }
}
