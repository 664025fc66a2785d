/** The file of a source: the source itself, or the first of these names in it. */
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { ImportFileError } from './import-file-error.ts'
import type { ImportSource } from './import-source.ts'

export async function sourceFile(source: ImportSource, names: readonly string[]): Promise<ImportSource> {
  if (!source.isFolder) return source
  for (const name of names) {
    const file = path.join(source.path, name)
    if (await isFile(file)) return { path: file, isFolder: false, name: `${source.name}/${name}` }
  }
  throw new ImportFileError({ file: source.path }, `the folder has none of these files: ${names.join(', ')}.`)
}

export async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
}
