/** Reads the conversations of a ChatGPT export, one at a time. Large exports have several files. */
import type { Read } from './import-entry.ts'
import type { ImportSource } from './import-source.ts'
import { jsonArray } from './json-array.ts'
import { listedFiles } from './listed-files.ts'
import { chatgptEntry } from './pure/chatgpt-entry.ts'

export async function* readChatgpt(source: ImportSource): AsyncGenerator<Read> {
  for (const { path, name } of await listedFiles(source, /^conversations(?:-\d+)?\.json$/))
    for await (const { place, value } of jsonArray(path)) yield chatgptEntry(value, `${name}, ${place}`)
}
