/** Reads memories of mem0 that `getAll()` returned, written to a JSON file. */
import type { Read } from './import-entry.ts'
import { ImportFileError } from './import-file-error.ts'
import type { ImportSource } from './import-source.ts'
import { mem0Entry, mem0Items } from './pure/mem0-entries.ts'
import { textIn } from './pure/json-fields.ts'
import { sourceFile } from './source-file.ts'
import { wholeJson } from './whole-file.ts'

export async function* readMem0(source: ImportSource): AsyncGenerator<Read> {
  const { path } = await sourceFile(source, ['memories.json'])
  const value = await wholeJson(path)
  const next = textIn(value, 'next')
  // The platform answers in pages, and a page is not everything.
  if (next !== undefined)
    yield {
      place: 'next',
      why: 'the file is one page of several. Import each page, or call getAll() with a larger pageSize',
    }
  const items = mem0Items(value)
  if (items.length === 0 && !Array.isArray(value) && next === undefined && !hasResults(value))
    throw new ImportFileError({ file: path }, 'it contains no list of memories.')
  for (const [i, item] of items.entries()) yield mem0Entry(item, `memory ${i + 1}`)
}

function hasResults(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('results' in value || 'memories' in value)
}
