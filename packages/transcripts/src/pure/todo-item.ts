/** One item of a to-do list: each host has its own words for the same three states. */
import type { TodoItem } from '../transcript-event.ts'
import type { JsonValue } from './json-object.ts'

/** An item with the host's word for its state. A word that is not known counts as pending. */
export function todoItem(text: string | undefined, status: JsonValue | undefined): TodoItem {
  return { text: text ?? '', status: statusOf(status) }
}

function statusOf(status: JsonValue | undefined): TodoItem['status'] {
  if (typeof status !== 'string') return 'pending'
  if (/^(?:completed|complete|done|cancelled|canceled|deleted)$/.test(status)) return 'done'
  return /^(?:in_progress|in-progress|inProgress|active)$/.test(status) ? 'active' : 'pending'
}
