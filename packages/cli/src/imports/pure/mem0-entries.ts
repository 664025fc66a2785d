/** Memories of mem0, as `getAll()` returns them: one note per memory. */
import type { Read } from '../import-entry.ts'
import { isObject, listIn, textIn, textsIn, timeIn } from './json-fields.ts'

/** The memories in the answer of `getAll()`, of the platform or of the library, or in a plain list. */
export function mem0Items(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return [...listIn(value, 'results'), ...listIn(value, 'memories')]
}

export function mem0Entry(value: unknown, place: string): Read {
  const [id, text] = [textIn(value, 'id'), textIn(value, 'memory', 'text')]
  if (text === undefined) return { place, why: 'the memory has no text' }
  if (id === undefined) return { place, why: 'the memory has no id' }
  const metadata = isObject(value) ? value['metadata'] : undefined
  const category = textIn(metadata, 'category')
  const at = timeIn(value, 'updatedAt', 'updated_at', 'createdAt', 'created_at')
  return {
    id,
    kind: 'memory',
    title: firstLine(text),
    text,
    tags: [...textsIn(value, 'categories'), ...(category === undefined ? [] : [category])],
    writtenBy: 'agent',
    ...(at === undefined ? {} : { at }),
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]?.slice(0, 120) ?? ''
}
