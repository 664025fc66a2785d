/** Reads an export of claude.ai: memories, projects and conversations. Conversations are read one at a time. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Read } from './import-entry.ts'
import type { ImportSource } from './import-source.ts'
import { type JsonItem, jsonArray } from './json-array.ts'
import { type ListedFile, listedFiles } from './listed-files.ts'
import { claudeEntries } from './pure/claude-entries.ts'
import { firstByte } from './first-bytes.ts'
import { wholeJson } from './whole-file.ts'

export async function* readClaude(source: ImportSource): AsyncGenerator<Read> {
  for (const file of await filesOf(source))
    for await (const { place, value } of itemsOf(file.path))
      yield* claudeEntries(value, place === '' ? file.name : `${file.name}, ${place}`)
}

/** Newer exports have one file per project, in a folder. */
async function filesOf(source: ImportSource): Promise<readonly ListedFile[]> {
  if (!source.isFolder) return listedFiles(source, /./)
  const projects = path.join(source.path, 'projects')
  const hasProjects = await stat(projects)
    .then((found) => found.isDirectory())
    .catch(() => false)
  return [
    ...(await listedFiles(source, /^(?:memories|projects|conversations(?:-\d+)?)\.json$/)),
    ...(hasProjects ? await listedFiles({ ...source, path: projects }, /\.json$/) : []),
  ]
}

/** A list of objects, or one object. */
async function* itemsOf(file: string): AsyncGenerator<JsonItem> {
  if ((await firstByte(file)) === '[') yield* jsonArray(file)
  else yield { place: '', value: await wholeJson(file) }
}
