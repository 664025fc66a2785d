/** `opencode run --format json --print-logs`, of version 1.18.33. */
import type { ClientEvent, ParseLine, ParseText } from './client-event.ts'
import { countOf, type Fields, fieldsOf, microsOf, textOf } from './fields.ts'
import { limitOrFault } from './limit-event.ts'

export const opencodeEvents: ParseLine = (line, reading) => {
  const part = fieldsOf(line['part'])
  const session: ClientEvent = { is: 'session', id: textOf(line['sessionID']) }
  switch (line['type']) {
    case 'step_start':
      return [session]
    case 'text':
      return [session, { is: 'text', text: textOf(part['text']) }]
    case 'tool_use':
      return [session, ...callOf(part)]
    case 'step_finish':
      return finished(part)
    case 'error':
      return [limitOrFault(messageOf(fieldsOf(line['error'])), reading)]
    default:
      return []
  }
}

/** Its log. It names the session before the first event does, and says why a request is tried again. */
export const opencodeText: ParseText = (line, reading) => {
  if (/\bSession not found\b/.test(line)) return [{ is: 'no session' }]
  const id = /\bsession\.id=(ses_\w+)/.exec(line)?.[1]
  const session: readonly ClientEvent[] = id === undefined ? [] : [{ is: 'session', id }]
  const error = /\bmessage="stream error".*\berror\.error="((?:[^"\\]|\\.)*)"/.exec(line)?.[1]
  if (error === undefined) return session
  const event = limitOrFault(error, reading)
  // Other errors are tried again by opencode, which reports the last one as an event.
  return event.is === 'limit' ? [...session, event] : session
}

function finished(part: Fields): readonly ClientEvent[] {
  const tokens = fieldsOf(part['tokens'])
  const cache = fieldsOf(tokens['cache'])
  const cached = countOf(cache['read'])
  const count = {
    input: countOf(tokens['input']) + countOf(cache['write']) + cached,
    cached,
    output: countOf(tokens['output']) + countOf(tokens['reasoning']),
  }
  const costMicros = microsOf(part['cost']) ?? 0
  const used = { tokens: count, ...(costMicros > 0 && { costMicros }) }
  const reply: ClientEvent = { is: 'reply', id: textOf(part['messageID']), used }
  return part['reason'] === 'tool-calls' ? [reply] : [{ is: 'end' }, reply]
}

function callOf(part: Fields): readonly ClientEvent[] {
  const [id, tool, state] = [textOf(part['callID']), textOf(part['tool']), fieldsOf(part['state'])]
  const args = fieldsOf(state['input'])
  const failed = state['status'] === 'error'
  const text = failed ? textOf(state['error']) : textOf(state['output'])
  const refused = failed && /rule which prevents you|rejected permission|unavailable tool/i.test(text)
  return [
    { is: 'call', id, tool, args, files: filesOf(tool, args, state) },
    { is: 'result', call: id, text, failed, refused },
  ]
}

function filesOf(tool: string, args: Fields, state: Fields): readonly string[] {
  const file = textOf(args['filePath'])
  if ((tool === 'edit' || tool === 'write') && file !== '') return [file]
  const patched = fieldsOf(state['metadata'])['files']
  return tool === 'apply_patch' && Array.isArray(patched)
    ? patched.map((each) => textOf(each) || textOf(fieldsOf(each)['filePath']))
    : []
}

function messageOf(error: Fields): string {
  return textOf(fieldsOf(error['data'])['message']) || textOf(error['message']) || textOf(error['name']) || 'it failed'
}
