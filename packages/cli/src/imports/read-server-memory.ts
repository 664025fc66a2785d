/** Reads the file of `@modelcontextprotocol/server-memory`. It is read as a whole, because relations come after all entities. */
import type { Read } from './import-entry.ts'
import type { ImportSource } from './import-source.ts'
import { jsonLines } from './json-lines.ts'
import { type GraphItem, graphItems, serverMemoryEntries } from './pure/server-memory-entries.ts'
import { textIn } from './pure/json-fields.ts'
import { sourceFile } from './source-file.ts'

export async function* readServerMemory(source: ImportSource): AsyncGenerator<Read> {
  const file = await sourceFile(source, ['memory.jsonl', 'memory.json'])
  const items: GraphItem[] = []
  for await (const item of jsonLines(file.path)) {
    const graph = textIn(item.value, 'type') === undefined ? graphItems(item.value) : []
    items.push(...(graph.length > 0 ? graph : [item]))
  }
  yield* serverMemoryEntries(items, file.name)
}
