/** The hash of some bytes of a file, by which a later read notices that the file is another one. */
import { createHash } from 'node:crypto'
import type { FilePrint } from './session-cursor.ts'
import type { TranscriptFile } from './transcript-files.ts'

const most = 1024

/** The prints of the first and the last bytes before an offset. */
export async function printsBefore(
  file: TranscriptFile,
  offset: number,
): Promise<{ readonly head: FilePrint; readonly tail: FilePrint }> {
  const bytes = Math.min(most, offset)
  return { head: await print(file, 0, bytes), tail: await print(file, offset - bytes, bytes) }
}

/** True if the bytes before the offset are those of the prints. */
export async function isSameFile(
  file: TranscriptFile,
  { offset, head, tail }: { readonly offset: number; readonly head: FilePrint; readonly tail: FilePrint },
): Promise<boolean> {
  const { bytes } = await file.facts()
  if (bytes < offset || tail.bytes > offset) return false
  const isHead = (await print(file, 0, head.bytes)).hash === head.hash
  return isHead && (await print(file, offset - tail.bytes, tail.bytes)).hash === tail.hash
}

/** The hash of a text. */
export function textPrint(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

async function print(file: TranscriptFile, offset: number, bytes: number): Promise<FilePrint> {
  const hash = createHash('sha256')
  let read = 0
  while (read < bytes) {
    const part = await file.read(offset + read, bytes - read)
    if (part.length === 0) break
    hash.update(part)
    read += part.length
  }
  return { bytes, hash: hash.digest('base64url').slice(0, 22) }
}
