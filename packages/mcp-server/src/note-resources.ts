/** Notes as resources: a host lists them and reads one whole, by its place. */
import type { ListResourcesResult, ReadResourceResult } from './mcp-sdk.ts'
import { McpServerError } from './mcp-server-error.ts'
import { dataNotice, oneLine, shownEntry } from '@agentm/memory/shown'
import type { MemoryPort, NoteText } from './memory-port.ts'
import { findNoteKey, noteUri } from './pure/note-uri.ts'

const mimeType = 'text/markdown'
const pageSize = 200
const mostTitle = 200

export async function listNotes(port: MemoryPort, cursor: string | undefined): Promise<ListResourcesResult> {
  const after = cursor === undefined ? undefined : keyIn(cursor)
  // One more than a page: whether another one follows is then known.
  const found = await port.listNotes({ ...(after === undefined ? {} : { after }), most: pageSize + 1 })
  const page = found.slice(0, pageSize)
  const last = found.length > pageSize ? page.at(-1) : undefined
  return {
    resources: page.map(({ key, title }) => ({
      uri: noteUri(key),
      name: oneLine(key),
      title: oneLine(title, mostTitle),
      mimeType,
    })),
    ...(last === undefined ? {} : { nextCursor: Buffer.from(last.key).toString('base64url') }),
  }
}

/** `undefined` if no such note can be read here. */
export async function readNote(port: MemoryPort, uri: string): Promise<ReadResourceResult | undefined> {
  const key = findNoteKey(uri)
  const note = key === undefined ? undefined : await port.findNote(key)
  return note === undefined ? undefined : { contents: [{ uri, mimeType, text: framed(note) }] }
}

/** A host puts a resource into a prompt as it is. */
function framed(note: NoteText): string {
  return `${dataNotice}\n\n${shownEntry({ ...note, of: 'note', id: note.key, createdAt: 0 })}\n`
}

function keyIn(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString('utf8')
  if (key === '' || Buffer.from(key).toString('base64url') !== cursor)
    throw new McpServerError('INVALID_INPUT', 'the cursor is not one of this server. List from the beginning.')
  return key
}
