/** The files of an export: the named file, or those in the folder whose names fit, in order. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { ImportSource } from './import-source.ts'

export interface ListedFile {
  readonly path: string
  readonly name: string
}

export async function listedFiles(source: ImportSource, fits: RegExp): Promise<readonly ListedFile[]> {
  if (!source.isFolder) return [{ path: source.path, name: path.basename(source.path) }]
  const names = (await readdir(source.path)).filter((name) => fits.test(name)).toSorted()
  return names.map((name) => ({ path: path.join(source.path, name), name }))
}
