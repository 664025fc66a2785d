/** `claude --print --output-format stream-json --verbose`, of version 2.1.328. */
import type { ClientEvent, ClientUsage, ParseLine, Reading, TokenCount } from './client-event.ts'
import { countOf, type Fields, fieldsOf, listOf, microsOf, textOf } from './fields.ts'
import { limitOrFault } from './limit-event.ts'
import { claudeCodeModelTokens, sumOf } from './session-entries.ts'

export const claudeCodeEvents: ParseLine = (line, reading) => {
  switch (line['type']) {
    case 'system':
      return line['subtype'] === 'init' ? [{ is: 'session', id: textOf(line['session_id']) }] : []
    case 'assistant':
      return replied(line)
    case 'user':
      return listOf(fieldsOf(line['message'])['content']).flatMap((part) =>
        part['type'] === 'tool_result' ? [resultOf(part)] : [],
      )
    case 'rate_limit_event':
      return limited(fieldsOf(line['rate_limit_info']))
    case 'result':
      return ended(line, reading)
    default:
      return []
  }
}

function replied(line: Fields): readonly ClientEvent[] {
  // Written by the client itself, in place of a reply.
  if (line['is_api_error_message'] === true) return []
  const { id, content, usage } = fieldsOf(line['message'])
  return [
    { is: 'reply', id: textOf(id), used: { tokens: tokensOf(fieldsOf(usage)) } },
    ...listOf(content).flatMap((part): readonly ClientEvent[] => {
      if (part['type'] === 'text') return [{ is: 'text', text: textOf(part['text']) }]
      if (part['type'] !== 'tool_use') return []
      const { name, input } = part
      return [
        {
          is: 'call',
          id: textOf(part['id']),
          tool: textOf(name),
          args: input,
          files: filesOf(textOf(name), fieldsOf(input)),
        },
      ]
    }),
  ]
}

function filesOf(tool: string, input: Fields): readonly string[] {
  const file = textOf(input['file_path']) || textOf(input['notebook_path'])
  return /^(?:Edit|MultiEdit|Write|NotebookEdit)$/.test(tool) && file !== '' ? [file] : []
}

function resultOf(part: Fields): ClientEvent {
  const { content } = part
  const text =
    typeof content === 'string'
      ? content
      : listOf(content)
          .map((each) => textOf(each['text']))
          .join('\n')
  const failed = part['is_error'] === true
  return { is: 'result', call: textOf(part['tool_use_id']), text, failed, refused: failed && isRefusal.test(text) }
}

const isRefusal =
  /^(?:Permission to use|Claude requested permissions|This command requires approval)|is disabled for this session|--restricted confines|^Permission .*denied/

function limited(info: Fields): readonly ClientEvent[] {
  if (info['status'] !== 'rejected') return []
  const seconds = info['resetsAt']
  const until = typeof seconds === 'number' ? { until: seconds * 1000 } : {}
  const which = textOf(info['rateLimitType']).replaceAll('_', ' ')
  return [{ is: 'limit', message: `the ${which === '' ? '' : `${which} `}limit of Claude Code is reached`, ...until }]
}

const codes: Readonly<Record<string, 'max_turns' | 'budget_exhausted'>> = {
  error_max_turns: 'max_turns',
  error_max_budget_usd: 'budget_exhausted',
}

function ended(line: Fields, reading: Reading): readonly ClientEvent[] {
  const usage: ClientEvent = { is: 'usage', of: 'session', used: usedOf(line) }
  const subtype = textOf(line['subtype'])
  const errors = Array.isArray(line['errors']) ? line['errors'].map(textOf).join('; ') : ''
  if (/no conversation found/i.test(errors)) return [usage, { is: 'no session' }]
  const code = codes[subtype]
  if (code !== undefined) return [usage, { is: 'fault', message: errors || `it stopped: ${subtype}`, code }]
  const text = textOf(line['result'])
  if (line['is_error'] !== true) return [usage, { is: 'end', text }]
  return [usage, limitOrFault(text || errors || `it stopped: ${subtype}`, reading)]
}

/**
 * The figures by model include those of its sub-agents, and those of earlier runs of the session that ended by themselves, as the cost
 * does.
 */
function usedOf(line: Fields): ClientUsage {
  const costMicros = microsOf(line['total_cost_usd'])
  const models = Object.values(fieldsOf(line['modelUsage'])).map((model) => claudeCodeModelTokens(fieldsOf(model)))
  const tokens = models.length === 0 ? tokensOf(fieldsOf(line['usage'])) : models.reduce(sumOf)
  return { tokens, ...(costMicros !== undefined && { costMicros }) }
}

function tokensOf(usage: Fields): TokenCount {
  const cached = countOf(usage['cache_read_input_tokens'])
  const input = countOf(usage['input_tokens']) + countOf(usage['cache_creation_input_tokens']) + cached
  return { input, cached, output: countOf(usage['output_tokens']) }
}
