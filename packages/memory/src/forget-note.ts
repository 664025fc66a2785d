/**
 * Forgets a note: its status says so, and the file stays as a tombstone, so that a copy from another device cannot take its
 * place. With `purge` the text goes too, from the note and from every archived version of it.
 */
import { contentHash, isSeamError, requireCapability } from '@agentm/storage-seam'
import { archivedVersions } from './archived-versions.ts'
import { NoteAbsentError } from './memory-errors.ts'
import type { MemoryContext } from './memory-context.ts'
import { noteId } from './pure/note-id.ts'
import { timestamp } from './pure/calendar.ts'
import { editFrontmatter, fieldLine } from './pure/frontmatter.ts'
import { textField } from './pure/note.ts'
import { parseNote } from './pure/parse-note.ts'
import { readIfPresent } from './read-if-present.ts'

export interface ForgetOptions {
  readonly reason?: string
  /** Erase the text for good: from the note, its archived versions, the index, the vectors and the embedder's cache. */
  readonly purge?: boolean
}

export interface ForgetResult {
  readonly id: string
  /** Absent for a belief or an episode, which have no file. */
  readonly key?: string
  readonly alreadyForgotten: boolean
  readonly purged: boolean
  /** Conflict copies that still hold the text. They are a person's to judge: nothing here removes them. */
  readonly leftBehind: readonly string[]
}

/** The texts that went, so that whatever was derived from them can go too. */
export interface Forgotten {
  readonly result: ForgetResult
  readonly texts: readonly string[]
}

export async function forgetNote(context: MemoryContext, key: string, options: ForgetOptions = {}): Promise<Forgotten> {
  requireCapability(context.backend, 'conditionalWrite')
  const { reason, purge = false } = options
  const at = context.places.at(key)
  // The archive goes first: the note is what leads to it.
  const archived = purge ? await archivedVersions(context, key) : []
  for (const { key: copy, text } of archived) await erase(context, copy, text)
  const texts: string[] = archived.map(({ text }) => text)
  let alreadyForgotten = false
  const after = await context.backend.update(at, (current) => {
    if (current === undefined) return undefined
    alreadyForgotten = parseNote(current, key).status === 'deleted'
    texts.push(current)
    const when = timestamp(context.runtime.now())
    if (purge) return tombstone(current, key, { when, reason })
    return alreadyForgotten ? undefined : editFrontmatter(current, deletion(when, reason))
  })
  if (after === undefined) throw new NoteAbsentError(key)
  const leftBehind = purge ? await conflictCopiesOf(context, key) : []
  const result = { id: noteId(context.storeId, key), key, alreadyForgotten, purged: purge, leftBehind }
  return { result, texts: purge ? texts : [] }
}

function deletion(when: string, reason: string | undefined) {
  return { status: 'deleted', deleted_at: when, ...(reason === undefined ? {} : { delete_reason: reason }) }
}

/** What stays of a purged note: that it was, and when it went. */
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
  }
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [fieldLine(name, value)]))
  return ['---', ...lines, '---', ''].join('\n')
}

/** An archived version needs no tombstone; where nothing can be removed it is emptied. */
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
