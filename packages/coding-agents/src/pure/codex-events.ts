/** `codex exec --json`, of version 0.169.0. */
import type { ClientEvent, ParseLine, ParseText } from './client-event.ts'
import { type Fields, fieldsOf, listOf, textOf } from './fields.ts'
import { limitOrFault } from './limit-event.ts'
import { codexTokens } from './session-entries.ts'

export const codexEvents: ParseLine = (line, reading) => {
  switch (line['type']) {
    case 'thread.started':
      return [{ is: 'session', id: textOf(line['thread_id']) }]
    case 'item.started':
      return callOf(fieldsOf(line['item']))
    case 'item.completed':
      return itemOf(fieldsOf(line['item']))
    case 'turn.completed':
      return [usageOf(fieldsOf(line['usage'])), { is: 'end' }]
    case 'turn.failed':
      return [limitOrFault(textOf(fieldsOf(line['error'])['message']), reading)]
    case 'error':
      return problem(textOf(line['message']), reading)
    default:
      return []
  }
}

/** What it prints beside the stream. */
export const codexText: ParseText = (line, reading) => {
  if (/no rollout found for thread id/i.test(line)) return [{ is: 'no session' }]
  if (lostRace.test(line)) return [{ is: 'not ready', message: line }]
  return line.startsWith('Error: ') ? [limitOrFault(line.slice('Error: '.length), reading)] : []
}

/**
 * When it starts, it makes links to its own program, by which it runs commands in its sandbox, and clears those of earlier runs away. Of
 * several that start at the same moment in one home, one can lose its links to another, and then every command of it fails. Any other
 * reason, such as a home that cannot be written to, would be the same at the next start.
 */
const lostRace = /could not (?:create PATH aliases|update PATH): .*(?:would block|os error 2\b)/i

/** It waits by itself while it reconnects, for as long as the provider asks it to. A limit is waited for without it. */
function problem(message: string, reading: Parameters<ParseLine>[1]): readonly ClientEvent[] {
  const event = limitOrFault(message, reading)
  return event.is === 'fault' && /^Reconnecting/i.test(message) ? [] : [event]
}

/** The total of the session, runs before this one included. */
function usageOf(usage: Fields): ClientEvent {
  return { is: 'usage', of: 'session', used: { tokens: codexTokens(usage) } }
}

function callOf(item: Fields): readonly ClientEvent[] {
  const id = textOf(item['id'])
  switch (item['type']) {
    case 'command_execution':
      return [{ is: 'call', id, tool: 'command', args: { command: item['command'] }, files: [] }]
    case 'file_change': {
      const changes = listOf(item['changes'])
      return [
        { is: 'call', id, tool: 'file_change', args: { changes }, files: changes.map(({ path }) => textOf(path)) },
      ]
    }
    case 'mcp_tool_call':
      return [
        {
          is: 'call',
          id,
          tool: `${textOf(item['server'])}.${textOf(item['tool'])}`,
          args: item['arguments'],
          files: [],
        },
      ]
    default:
      return []
  }
}

function itemOf(item: Fields): readonly ClientEvent[] {
  if (item['type'] === 'agent_message') return [{ is: 'text', text: textOf(item['text']) }]
  const [call] = callOf(item)
  if (call?.is !== 'call') return []
  const text = textOf(item['aggregated_output']) || textOf(fieldsOf(item['error'])['message'])
  const failed = item['status'] === 'failed' || item['status'] === 'declined'
  const refused = item['status'] === 'declined' || (failed && /read-only file system|sandbox/i.test(text))
  return [call, { is: 'result', call: call.id, text, failed, refused }]
}
