/** Reads a session that its host appends to, one record per line. */
import { isSameFile, printsBefore } from './file-print.ts'
import { readLines } from './read-lines.ts'
import type { SessionRead } from './read-session.ts'
import type { SessionBatch } from './session-batch.ts'
import type { CursorPlace, SessionCursor } from './session-cursor.ts'
import { SessionFold } from './session-fold.ts'
import type { TranscriptFile } from './transcript-files.ts'

const chunkBytes = 256 * 1024
const newline = 0x0a
const carriageReturn = 0x0d

/** The batches from the cursor to the end of the file. */
export async function* readLineSession(file: TranscriptFile, read: SessionRead): AsyncIterable<SessionBatch> {
  const { cursor, from, restarted } = await beginning(file, read)
  const fold = new SessionFold(read, cursor)
  if (restarted) yield fold.batch(await placeAt(file, from, false), true)
  let place = { end: from, isOpen: false }
  for await (const line of readLines(file, { from, maxLineBytes: read.maxRecordBytes, chunkBytes })) {
    read.signal?.throwIfAborted()
    const tooLong = line.text === undefined ? { tooLong: line.bytes } : {}
    fold.add({ text: line.text ?? '', number: fold.records + 1, ...tooLong })
    place = line
    if (fold.isFull) yield fold.batch(await placeAt(file, place.end, place.isOpen), false)
  }
  if (!fold.isEmpty) yield fold.batch(await placeAt(file, place.end, place.isOpen), false)
}

interface Beginning {
  readonly restarted: boolean
  readonly from: number
  readonly cursor: SessionCursor | undefined
}

/** A newline that ends the line which was read without it is passed over. */
async function beginning(file: TranscriptFile, { cursor }: SessionRead): Promise<Beginning> {
  if (cursor === undefined) return { restarted: false, from: 0, cursor }
  const { at } = cursor
  const anew = { restarted: true, from: 0, cursor: undefined }
  if (at.form !== 'lines' || !(await isSameFile(file, at))) return anew
  if (at.isOpenLine !== true) return { restarted: false, from: at.offset, cursor }
  const [next] = await file.read(at.offset, 1)
  if (next !== undefined && next !== newline && next !== carriageReturn) return anew
  return { restarted: false, from: next === newline ? at.offset + 1 : at.offset, cursor }
}

async function placeAt(file: TranscriptFile, offset: number, isOpen: boolean): Promise<CursorPlace> {
  return { form: 'lines', offset, ...(isOpen ? { isOpenLine: true } : {}), ...(await printsBefore(file, offset)) }
}
