/** Reads a backup of OpenMemory: `memories.json`, `memories.jsonl` or `memories.jsonl.gz` of the downloaded archive. */
import type { Read } from './import-entry.ts'
import type { ImportSource } from './import-source.ts'
import { jsonLines } from './json-lines.ts'
import { categoryNames, openMemoryEntry } from './pure/open-memory-entries.ts'
import { listIn } from './pure/json-fields.ts'
import { sourceFile } from './source-file.ts'
import { wholeJson } from './whole-file.ts'

export async function* readOpenMemory(source: ImportSource): AsyncGenerator<Read> {
  const { path } = await sourceFile(source, ['memories.json', 'memories.jsonl.gz', 'memories.jsonl'])
  if (!path.endsWith('.json')) {
    const categories = new Map<string, string>()
    for await (const { place, value } of jsonLines(path)) yield openMemoryEntry(value, { place, categories })
    return
  }
  const backup = await wholeJson(path)
  const categories = categoryNames(backup)
  for (const [i, value] of listIn(backup, 'memories').entries())
    yield openMemoryEntry(value, { place: `memory ${i + 1}`, categories })
}
