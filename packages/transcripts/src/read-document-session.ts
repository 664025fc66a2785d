/** Reads a session that its host writes anew as one JSON document: Gemini CLI before it wrote lines. */
import { textPrint } from './file-print.ts'
import type { SessionRead } from './read-session.ts'
import { SessionFold } from './session-fold.ts'
import type { SessionBatch } from './session-batch.ts'
import type { TranscriptFile } from './transcript-files.ts'
import { documentRecords } from './pure/gemini/document-records.ts'

/** A document of this size is read whole; a longer one becomes one unknown record. */
const maxDocumentBytes = 64 * 1024 * 1024

/** The records that were added to the document, if it changed at all. */
export async function* readDocumentSession(file: TranscriptFile, read: SessionRead): AsyncIterable<SessionBatch> {
  const { bytes } = await file.facts()
  const text = bytes > maxDocumentBytes ? undefined : await wholeText(file, bytes)
  const print = text === undefined ? `too-long/${bytes}` : textPrint(text)
  const place = read.cursor?.at.form === 'document' ? read.cursor.at : undefined
  if (place?.print === print) return
  const documented = text === undefined ? undefined : documentRecords(text)
  const records = documented?.records ?? [text ?? '']
  const isOther = read.cursor !== undefined && (place === undefined || place.session !== documented?.session)
  const isShorter = records.length < (read.cursor?.records ?? 0)
  const restarted = documented !== undefined && (isOther || isShorter)
  const fold = new SessionFold(read, restarted ? undefined : read.cursor)
  const known = restarted ? 0 : (read.cursor?.records ?? 0)
  for (const [index, record] of records.entries()) {
    read.signal?.throwIfAborted()
    const isNew = index >= known
    fold.add({ text: record, number: index + 1, ...(text === undefined ? { tooLong: bytes } : {}) }, isNew)
  }
  yield fold.batch({ form: 'document', print, ...session(documented?.session) }, restarted)
}

function session(id: string | undefined): { readonly session?: string } {
  return id === undefined ? {} : { session: id }
}

async function wholeText(file: TranscriptFile, bytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let read = 0
  while (read < bytes) {
    const part = await file.read(read, bytes - read)
    if (part.length === 0) break
    parts.push(part)
    read += part.length
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
