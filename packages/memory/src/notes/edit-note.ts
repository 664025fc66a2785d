/**
 * Changes the words of a note in place, if its file is still as the caller saw it. It stays the same note, and no earlier version is kept:
 * what is no longer true is superseded instead.
 */
import { findSecrets } from '@agentm/nodes'
import { checkUnchanged, contentHash, requireCapability } from '@agentm/storage-seam'
import { InvalidNoteError, NoteNotActiveError, PersonNeededError, SecretFoundError } from '../memory-errors.ts'
import type { MemoryContext } from '../memory-context.ts'
import { localDate } from './local-date.ts'
import { noteId } from './pure/note-id.ts'
import { editFrontmatter, type FieldValue } from './pure/frontmatter.ts'
import { parseNote } from './pure/parse-note.ts'
import { mayChange } from './pure/may-change.ts'
import type { Note } from './pure/note.ts'
import type { Author } from './pure/shown.ts'
import { isSlug } from './pure/slug.ts'

export interface EditRequest {
  /** The whole text, without the fields at its start. */
  readonly text: string
  readonly title?: string
  readonly tags?: readonly string[]
  /** The hash of the file that the caller saw, as `read` gives it. With another hash, nothing is changed. */
  readonly ifHash: string
  /** Who asks for it. Only a person may edit a note that no agent wrote. */
  readonly by?: Author
}

export interface EditResult {
  readonly id: string
  readonly key: string
  /** The hash of the file after the edit. */
  readonly hash: string
}

export async function editNote(context: MemoryContext, key: string, request: EditRequest): Promise<EditResult> {
  requireCapability(context.backend, 'conditionalWrite')
  checkRequest(request)
  const { ifHash, by } = request
  const at = context.places.at(key)
  const old = await context.backend.read(at)
  checkUnchanged(at, old, ifHash)
  const note = parseNote(old, key)
  if (note.status !== 'active') throw new NoteNotActiveError(key, note.status)
  if (note.fields.has('belief'))
    throw new InvalidNoteError('note', 'is a published belief. Correct the belief instead.')
  if (!mayChange(note, { by })) throw new PersonNeededError(key, 'edit')
  const text = edited(old, note, { request, today: localDate(context.runtime.now()) })
  if (text !== old) await context.backend.write(at, text, { ifHash })
  return { id: noteId(context.storeId, key), key, hash: contentHash(text) }
}

function checkRequest({ text, title, tags = [] }: EditRequest): void {
  if (text.trim() === '') throw new InvalidNoteError('text', 'is empty. To drop the note, forget it.')
  if (!text.isWellFormed()) throw new InvalidNoteError('text', 'holds half a surrogate pair; use toWellFormed() first.')
  const odd = tags.find((each) => !isSlug(each))
  if (odd !== undefined)
    throw new InvalidNoteError('tags', `are lower-case letters, digits and hyphens; ${JSON.stringify(odd)} is not.`)
  const secrets = findSecrets([title ?? '', text].join('\n'))
  if (secrets.length > 0) throw new SecretFoundError([...new Set(secrets.map(({ kind }) => kind))])
}

/** Every field that the edit does not name keeps its bytes, and a file of a person's own gets no fields of ours. */
function edited(
  old: string,
  note: Note,
  { request, today }: { readonly request: EditRequest; readonly today: string },
): string {
  const { title, tags, by } = request
  const ours: Readonly<Record<string, FieldValue>> = note.isOwn
    ? { updated: today, ...(by === undefined ? {} : { written_by: by }) }
    : {}
  const changes = {
    ...ours,
    ...(title === undefined || title === note.title ? {} : { title }),
    ...(tags === undefined || isSame(tags, note.tags) ? {} : { tags }),
  }
  const body = request.text.replace(/[\r\n]+$/, '')
  const isUntouched = body === note.body.replace(/^[\r\n]+|[\r\n]+$/g, '')
  if (isUntouched && Object.keys(changes).length === Object.keys(ours).length) return old
  const withFields = Object.keys(changes).length === 0 ? old : editFrontmatter(old, changes)
  const head = withFields.slice(0, withFields.length - note.body.length)
  const eol = /\r?\n/.exec(old)?.[0] ?? '\n'
  const lines = `${/^\uFEFF?$/.test(head) ? '' : '\n'}${body}\n`
  return `${head}${lines.replaceAll(/\r?\n/g, eol)}`
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((each, i) => each === others[i])
}
