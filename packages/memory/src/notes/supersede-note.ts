/**
 * Replaces the text of a note and keeps the old text. The old version is archived first, so that a crash in between leaves a second
 * copy and loses no text.
 */
import { findSecrets } from '@agentm/nodes'
import { checkUnchanged, contentHash, isSeamError, requireCapability } from '@agentm/storage-seam'
import { archiveHome, archiveKey } from './archived-versions.ts'
import { createNote } from './create-note.ts'
import {
  InvalidNoteError,
  NoteNotActiveError,
  PersonNeededError,
  SecretFoundError,
  SlugTakenError,
} from '../memory-errors.ts'
import type { MemoryContext } from '../memory-context.ts'
import { noteId } from './pure/note-id.ts'
import { timestamp } from './pure/calendar.ts'
import { localDate } from './local-date.ts'
import { editFrontmatter, type FieldValue } from './pure/frontmatter.ts'
import { parseNote } from './pure/parse-note.ts'
import { mayChange } from './pure/may-change.ts'
import type { Author } from './pure/shown.ts'
import { isSlug } from './pure/slug.ts'

export interface SupersedeRequest {
  /** The new text. */
  readonly text: string
  /** Why it changed. */
  readonly reason: string
  /** A new name for the note, if the old one no longer fits. */
  readonly slug?: string
  readonly title?: string
  /** The hash of the file that the caller saw, as `read` gives it. With another hash, nothing is changed (default: any). */
  readonly ifHash?: string
  /** Who wrote the new text. Only a person may replace a note that no agent wrote. */
  readonly by?: Author
}

export interface SupersedeResult {
  readonly id: string
  readonly key: string
  /** The key of the archived version. */
  readonly archive: string
}

/** `fields` are set in the new version beside those of the request. */
export async function supersedeNote(
  context: MemoryContext,
  key: string,
  request: SupersedeRequest & { readonly fields?: NoteFields },
): Promise<SupersedeResult> {
  requireCapability(context.backend, 'conditionalWrite')
  checkRequest(request)
  const old = await context.backend.read(context.places.at(key))
  checkUnchanged(context.places.at(key), old, request.ifHash)
  const note = parseNote(old, key)
  if (note.status !== 'active') throw new NoteNotActiveError(key, note.status)
  if (!mayChange(note, { by: request.by })) throw new PersonNeededError(key, 'supersede')
  if (request.slug !== undefined && note.alwaysLoad)
    throw new InvalidNoteError('slug', 'of a note that is always loaded stays as it is.')
  const target = request.slug === undefined ? key : context.places.at(key).parent.child(`${request.slug}.md`).key
  const archive = await archiveOld(context, { key, old, target, reason: request.reason })
  const text = successor(context, { old, request, archive })
  if (target === key) await context.backend.write(context.places.at(key), text, { ifHash: contentHash(old) })
  else await move(context, { key, old, target, text, archive, reason: request.reason })
  return { id: noteId(context.storeId, target), key: target, archive }
}

type NoteFields = Readonly<Record<string, FieldValue | undefined>>

function checkRequest({ text, reason, slug, title }: SupersedeRequest): void {
  if (text.trim() === '') throw new InvalidNoteError('text', 'is empty. To drop the note, forget it.')
  if (reason.trim() === '') throw new InvalidNoteError('reason', 'is empty; say what changed.')
  if (slug !== undefined && !isSlug(slug))
    throw new InvalidNoteError('slug', 'is lower-case letters, digits and hyphens.')
  const secrets = findSecrets([title ?? '', reason, text].join('\n'))
  if (secrets.length > 0) throw new SecretFoundError([...new Set(secrets.map(({ kind }) => kind))])
}

interface Replaced {
  readonly key: string
  readonly old: string
  readonly target: string
  readonly reason: string
}

async function archiveOld(context: MemoryContext, { key, old, target, reason }: Replaced): Promise<string> {
  const now = context.runtime.now()
  const home = await archiveHome(context)
  const day = localDate(now).replaceAll('-', '')
  const fields = {
    status: 'superseded',
    superseded_by: target,
    superseded_at: timestamp(now),
    superseded_reason: reason,
  }
  const text = editFrontmatter(old, fields)
  for (let nth = 1; nth < 1000; nth++) {
    const archive = archiveKey(home, key, day, nth)
    const made = await createNote(context.backend, context.places.at(archive), text)
    // An earlier attempt may have ended between the two writes.
    const { superseded_at } = fields
    if (made.created || editFrontmatter(made.there, { superseded_at }) === text) return archive
  }
  throw new SlugTakenError(archiveKey(home, key, day, 1))
}

/** Unknown fields are kept; only fields about the old version are removed. */
function successor(
  context: MemoryContext,
  { old, request, archive }: { old: string; request: SupersedeRequest & { fields?: NoteFields }; archive: string },
): string {
  const today = localDate(context.runtime.now())
  const fields = editFrontmatter(old, {
    status: 'active',
    created: today,
    updated: today,
    ...(request.slug === undefined ? {} : { slug: request.slug }),
    supersedes: archive,
    ...(request.title === undefined ? {} : { title: request.title }),
    // The text is new, so the author is that of this request.
    written_by: request.by,
    accepted_by: undefined,
    reinforce_count: undefined,
    last_reinforced: undefined,
    ...request.fields,
  })
  const head = fields.slice(0, fields.length - parseNote(fields, archive).body.length)
  return `${head}\n${request.text.replace(/[\r\n]+$/, '')}\n`
}

async function move(
  context: MemoryContext,
  moved: Replaced & { readonly text: string; readonly archive: string },
): Promise<void> {
  const { backend, places } = context
  const made = await createNote(backend, places.at(moved.target), moved.text)
  if (!made.created) throw new SlugTakenError(moved.target)
  const ifHash = contentHash(moved.old)
  try {
    if (backend.capabilities.removal) await backend.remove(places.at(moved.key), { ifHash })
    else await backend.write(places.at(moved.key), replacedText(moved), { ifHash })
  } catch (error) {
    // Another process already removed the old note, so the result is the same.
    if (!isSeamError(error, 'NOT_FOUND')) throw error
  }
}

function replacedText({ old, target, reason }: Replaced): string {
  return editFrontmatter(old, { status: 'superseded', superseded_by: target, superseded_reason: reason })
}
