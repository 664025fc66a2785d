/** Which program wrote a JSON value, by the fields that only its files have. */
import type { FormatName } from '../import-formats.ts'
import { isObject, listIn, textIn } from './json-fields.ts'

/** `value` is the whole value, or the first item of a list or of a file with one value per line. */
export function jsonFormat(value: unknown): FormatName | undefined {
  const [first] = [...listIn(value, 'results'), ...listIn(value, 'memories')]
  return formatOf(value) ?? formatOf(first)
}

function formatOf(value: unknown): FormatName | undefined {
  if (!isObject(value)) return undefined
  if (isGraphItem(value) || ('entities' in value && 'relations' in value)) return 'server-memory'
  if ('mapping' in value) return 'chatgpt'
  if (
    ['chat_messages', 'conversations_memory', 'project_memories', 'prompt_template', 'docs'].some(
      (name) => name in value,
    )
  )
    return 'claude'
  if ('export_meta' in value || ('content' in value && 'state' in value)) return 'openmemory'
  if (typeof value['memory'] === 'string' && 'id' in value) return 'mem0'
  return undefined
}

function isGraphItem(value: unknown): boolean {
  const type = textIn(value, 'type')
  return (
    (type === 'entity' && textIn(value, 'name') !== undefined) ||
    (type === 'relation' && textIn(value, 'from') !== undefined)
  )
}
