/** A file that is read as a whole. */
import { open, readFile } from 'node:fs/promises'
import { ImportFileError } from './import-file-error.ts'
import { decoded, parsedJson } from './json-array.ts'

export interface WholeFile {
  readonly text: string
  /** When it was changed last, in epoch milliseconds. */
  readonly changedAt: number
}

const mostBytes = { text: 8_000_000, json: 256_000_000 }

export async function wholeText(file: string): Promise<WholeFile> {
  return readWhole(file, mostBytes.text)
}

export async function wholeJson(file: string): Promise<unknown> {
  const { text } = await readWhole(file, mostBytes.json)
  return parsedJson(text, { file })
}

/** The text with its byte order mark, if it has one. */
export async function exactText(file: string): Promise<string> {
  const bytes = await readFile(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new ImportFileError({ file }, 'it is not UTF-8 text.', { cause })
  }
}

/** One handle for size and content, so that both are of the same file. */
async function readWhole(file: string, most: number): Promise<WholeFile> {
  const handle = await open(file, 'r')
  try {
    const { size, mtimeMs } = await handle.stat()
    if (size > most) throw new ImportFileError({ file }, `it is larger than ${most / 1e6} MB.`)
    return { text: decoded(await handle.readFile(), { file }), changedAt: Math.floor(mtimeMs) }
  } finally {
    await handle.close()
  }
}
