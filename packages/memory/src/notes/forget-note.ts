/**
 * Forgets a note: the file stays as a tombstone with a status that says so, so that a copy from another device cannot take its
 * place. A forgotten note can be restored until it is purged. Purging also deletes the text, from the note and from every archived
 * version.
 */
import { contentHash, isSeamError, requireCapability } from '@agentm/storage-seam'
import { archivedVersions } from './archived-versions.ts'
import { NoteAbsentError, PersonNeededError } from '../memory-errors.ts'
import type { MemoryContext } from '../memory-context.ts'
import { noteId } from './pure/note-id.ts'
import { timestamp } from './pure/calendar.ts'
import { fieldLine } from './pure/frontmatter.ts'
import { forgottenText } from './pure/forgotten-text.ts'
import { mayChange } from './pure/may-change.ts'
import { textField } from './pure/note.ts'
import { parseNote } from './pure/parse-note.ts'
import type { Author } from './pure/shown.ts'
import { readIfPresent } from './read-if-present.ts'

export interface ForgetOptions {
  readonly reason?: string
  /** Permanently deletes the text from the note, its archived versions, the index, the vectors and the embedder's cache. */
  readonly purge?: boolean
  /** Who asks for it. Only a person may purge a note, or forget one that no agent wrote. */
  readonly by?: Author
}

export interface ForgetResult {
  readonly id: string
  /** Absent for a belief or an episode, which have no file. */
  readonly key?: string
  readonly alreadyForgotten: boolean
  readonly purged: boolean
  /** Conflict copies that still contain the text. Nothing here removes them, because a person has to check them. */
  readonly leftBehind: readonly string[]
}

/** The deleted texts, so that data derived from them can be deleted, too. */
export interface Forgotten {
  readonly result: ForgetResult
  readonly texts: readonly string[]
}

export async function forgetNote(context: MemoryContext, key: string, options: ForgetOptions = {}): Promise<Forgotten> {
  requireCapability(context.backend, 'conditionalWrite')
  const { reason, purge = false, by } = options
  const at = context.places.at(key)
  const there = await readIfPresent(context.backend, at)
  if (there === undefined) throw new NoteAbsentError(key)
  const archived = purge ? await archivedVersions(context, key) : []
  const change = { by, forGood: purge }
  const isRefused = [parseNote(there, key), ...archived.map(({ note }) => note)].some(
    (note) => !mayChange(note, change),
  )
  if (isRefused) throw new PersonNeededError(key, purge ? 'erase' : 'forget')
  // The archive is deleted first, because the note is needed to find it.
  for (const { key: copy, text } of archived) await erase(context, copy, text)
  const texts: string[] = archived.map(({ text }) => text)
  let alreadyForgotten = false
  let isTaken = false
  const after = await context.backend.update(at, (current) => {
    if (current === undefined) return undefined
    const note = parseNote(current, key)
    // Another note may have been written there meanwhile.
    isTaken = !mayChange(note, change)
    if (isTaken) return undefined
    alreadyForgotten = note.status === 'deleted'
    texts.push(current)
    const when = timestamp(context.runtime.now())
    if (purge) return tombstone(current, key, { when, reason })
    return alreadyForgotten ? undefined : forgottenText(current, note, { when, by, reason })
  })
  if (after === undefined) throw new NoteAbsentError(key)
  if (isTaken) throw new PersonNeededError(key, purge ? 'erase' : 'forget')
  const leftBehind = purge ? await conflictCopiesOf(context, key) : []
  const result = { id: noteId(context.storeId, key), key, alreadyForgotten, purged: purge, leftBehind }
  return { result, texts: purge ? texts : [] }
}

/** What remains of a purged note: that it existed, and when it was deleted. */
function tombstone(text: string, key: string, { when, reason }: { when: string; reason: string | undefined }): string {
  const note = parseNote(text, key)
  const fields = {
    kind: note.kind,
    status: 'deleted',
    created: textField(note.fields, 'created'),
    slug: note.slug,
    deleted_at: textField(note.fields, 'deleted_at') ?? when,
    delete_reason: reason ?? (note.status === 'deleted' ? textField(note.fields, 'delete_reason') : undefined),
    purged: true,
    // So that another import of the same entry does not bring the note back.
    imported_from: textField(note.fields, 'imported_from'),
    imported_id: textField(note.fields, 'imported_id'),
  }
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [fieldLine(name, value)]))
  return ['---', ...lines, '---', ''].join('\n')
}

/** An archived version needs no tombstone. If the backend cannot remove files, its content is emptied. */
async function erase(context: MemoryContext, key: string, text: string): Promise<void> {
  const { backend, places, runtime } = context
  if (!backend.capabilities.removal) {
    const when = timestamp(runtime.now())
    await backend.update(places.at(key), (now) =>
      now === undefined ? undefined : tombstone(now, key, { when, reason: undefined }),
    )
    return
  }
  try {
    await backend.remove(places.at(key), { ifHash: contentHash(text) })
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return
    if (!isSeamError(error, 'CONCURRENT_MODIFICATION')) throw error
    const now = await readIfPresent(backend, places.at(key))
    if (now !== undefined) await erase(context, key, now)
  }
}

async function conflictCopiesOf(
  { backend, places, conflictCopy }: MemoryContext,
  key: string,
): Promise<readonly string[]> {
  if (conflictCopy === undefined || !backend.capabilities.conflictFiles) return []
  const at = places.at(key)
  const names = (await backend.list(at.parent)).map(({ name }) => name)
  const siblings = new Set(names)
  const stem = at.name.replace(/\.md$/i, '')
  const copies = names.filter(
    (name) => name !== at.name && name.includes(stem) && conflictCopy(name, siblings) !== undefined,
  )
  return copies.map((name) => at.parent.child(name).key)
}
