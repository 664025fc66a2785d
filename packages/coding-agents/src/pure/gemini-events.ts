/** `gemini --output-format stream-json`, of version 0.61.0. */
import type { ClientEvent, ParseLine, ParseText } from './client-event.ts'
import { countOf, type Fields, fieldsOf, textOf } from './fields.ts'
import { limitOrFault } from './limit-event.ts'

export const geminiEvents: ParseLine = (line, reading) => {
  switch (line['type']) {
    case 'init':
      return [{ is: 'session', id: textOf(line['session_id']) }]
    case 'message':
      return line['role'] === 'assistant' ? [{ is: 'text', text: textOf(line['content']), isPiece: true }] : []
    case 'tool_use': {
      const tool = textOf(line['tool_name'])
      const args = fieldsOf(line['parameters'])
      return [{ is: 'call', id: textOf(line['tool_id']), tool, args, files: filesOf(tool, args) }]
    }
    case 'tool_result':
      return [resultOf(line)]
    case 'result': {
      const usage: ClientEvent = { is: 'usage', of: 'run', used: { tokens: tokensOf(fieldsOf(line['stats'])) } }
      if (line['status'] === 'success') return [usage, { is: 'end' }]
      return [usage, limitOrFault(textOf(fieldsOf(line['error'])['message']), reading)]
    }
    default:
      return []
  }
}

/** What it prints beside the stream: retries, and what went wrong before it began. */
export const geminiText: ParseText = (line, reading) => {
  if (line.startsWith('Error resuming session: Invalid session identifier')) return [{ is: 'no session' }]
  const retry = /^Attempt \d+ failed.*/.exec(line)?.[0]
  if (retry === undefined) return []
  const event = limitOrFault(retry, reading)
  // A short wait is its own business.
  return event.is === 'limit' && (event.until ?? 0) - reading.now > longestOwnWaitMs ? [event] : []
}

const longestOwnWaitMs = 60_000

function filesOf(tool: string, args: Fields): readonly string[] {
  const file = textOf(args['file_path'])
  return (tool === 'replace' || tool === 'write_file') && file !== '' ? [file] : []
}

function resultOf(line: Fields): ClientEvent {
  const error = fieldsOf(line['error'])
  const text = textOf(line['output']) || textOf(error['message'])
  const failed = line['status'] === 'error'
  const isRefusal =
    error['type'] === 'policy_violation' ||
    error['type'] === 'tool_not_registered' ||
    /requires user confirmation|Path not in workspace/.test(text)
  return { is: 'result', call: textOf(line['tool_id']), text, failed, refused: failed && isRefusal }
}

function tokensOf(stats: Fields) {
  return {
    input: countOf(stats['input_tokens']),
    cached: countOf(stats['cached']),
    // Thoughts are in the total only.
    output: Math.max(countOf(stats['output_tokens']), countOf(stats['total_tokens']) - countOf(stats['input_tokens'])),
  }
}
