/** A backup of OpenMemory: `memories.json`, or one memory per line as in `memories.jsonl.gz`. One note per memory that is not deleted. */
import type { Read } from '../import-entry.ts'
import { isObject, listIn, textIn, textsIn, timeIn } from './json-fields.ts'

/** The names of the categories in `memories.json`, by id. */
export function categoryNames(backup: unknown): ReadonlyMap<string, string> {
  const named = listIn(backup, 'categories').flatMap((each): [string, string][] => {
    const [id, name] = [textIn(each, 'id'), textIn(each, 'name')]
    return id === undefined || name === undefined ? [] : [[id, name]]
  })
  return new Map(named)
}

export function openMemoryEntry(
  value: unknown,
  { place, categories }: { readonly place: string; readonly categories: ReadonlyMap<string, string> },
): Read {
  const [id, text] = [textIn(value, 'id'), textIn(value, 'content', 'text')]
  if (text === undefined) return { place, why: 'the memory has no text' }
  if (id === undefined) return { place, why: 'the memory has no id' }
  const state = textIn(value, 'state') ?? 'active'
  if (state === 'deleted') return { place, why: 'it is deleted there' }
  const ids = isObject(value) ? textsIn(value, 'category_ids') : []
  const at = timeIn(value, 'updated_at', 'created_at')
  return {
    id,
    kind: 'memory',
    title: text.trim().split('\n')[0]?.slice(0, 120) ?? '',
    text,
    tags: [...textsIn(value, 'categories'), ...ids.flatMap((each) => categories.get(each) ?? [])],
    writtenBy: 'agent',
    ...(at === undefined ? {} : { at }),
  }
}
