/** The file that marks a folder as an export of agentm, and says whether the export came to its end. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { ImportFileError } from './import-file-error.ts'
import { parsedJson } from './json-array.ts'
import { isObject } from './pure/json-fields.ts'

export const manifestName = 'agentm-export.json'
export const notesFolder = 'notes'

export interface ExportManifest {
  /** The version of this layout. */
  readonly layout: 1
  /** False while the export is written. It stays false if the export was interrupted. */
  readonly complete: boolean
  readonly exportedAt: string
  readonly notes: number
  readonly nodes: number
}

export function manifestText(manifest: ExportManifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** `undefined` if the folder has none. */
export async function findManifest(folder: string): Promise<ExportManifest | undefined> {
  const file = path.join(folder, manifestName)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw error
  })
  if (text === undefined) return undefined
  const { layout, complete, exportedAt, notes, nodes } = fieldsOf(parsedJson(text, { file }))
  if (layout !== 1 || typeof complete !== 'boolean')
    throw new ImportFileError({ file }, 'it is no export of this version of agentm.')
  return { layout, complete, exportedAt: String(exportedAt), notes: Number(notes), nodes: Number(nodes) }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {}
}
