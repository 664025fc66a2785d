/**
 * Puts a candidate into the inbox, where it waits for a person or a review. Its text is treated as data: it is not recalled, its
 * instructions are not followed, and secrets in it are replaced before it is written.
 */
import { findSecrets, redactSecrets } from '@agentm/nodes'
import { requireCapability } from '@agentm/storage-seam'
import { createNote } from './create-note.ts'
import { InvalidNoteError } from '../memory-errors.ts'
import type { MemoryContext } from '../memory-context.ts'
import { noteId } from './pure/note-id.ts'
import { editFrontmatter } from './pure/frontmatter.ts'
import { fingerprint, wordPrint } from './pure/fingerprint.ts'
import { restoredText } from './pure/forgotten-text.ts'
import { globalPartition, inboxName, placeOf, rejectedName } from './pure/note-place.ts'
import { noteText } from './pure/format-note.ts'
import { numberField, textField } from './pure/note.ts'
import { parseNote } from './pure/parse-note.ts'
import type { Author } from './pure/shown.ts'
import { readIfPresent } from './read-if-present.ts'
import { isSlug, slugFor, slugWith } from './pure/slug.ts'
import { titleIn } from './pure/title-in.ts'
import { localDate } from './local-date.ts'
import { groupOf, type KnownNotes } from './save-note.ts'

/** A candidate for the inbox, where it waits for a person. It is not recalled before a person keeps it. */
export interface CaptureRequest {
  readonly text: string
  readonly kind?: string
  readonly slug?: string
  /** 0 to 1. */
  readonly confidence?: number
  readonly rationale?: string
  readonly title?: string
  readonly tags?: readonly string[]
  /** Where the accepted note would go (default: the project if one is open, otherwise `personal`). */
  readonly scope?: 'project' | 'personal'
  /** Proposes to show the note at the start of every session there. A person decides. */
  readonly alwaysLoad?: boolean
  /** Who wrote the text. Absent if the caller does not know. */
  readonly by?: Author
}

/** The result of capturing a candidate. */
export interface CaptureResult {
  /**
   * `captured`: it now waits in the inbox. `seen-again`: it already waited and its count was raised. `known`: an existing note has
   * the same text. `rejected`: a person rejected this text before, so it was not added again. `key` is the file in question.
   */
  readonly outcome: 'captured' | 'seen-again' | 'known' | 'rejected'
  readonly id: string
  readonly key: string
  /** How often it was proposed while it waited; 0 if it does not wait. */
  readonly occurrences: number
  /** The kinds of secrets that were replaced. */
  readonly redacted: readonly string[]
}

export async function captureNote(
  context: MemoryContext,
  request: CaptureRequest,
  known: Pick<KnownNotes, 'sameText'>,
): Promise<CaptureResult> {
  requireCapability(context.backend, 'conditionalWrite')
  checkCaptureRequest(request)
  const { kind = 'idea', slug } = request
  const given = request.text.toWellFormed()
  const text = redactSecrets(given)
  const redacted = [...new Set(findSecrets(given).map((found) => found.kind))]
  const home = await inboxHome(context)
  const group = await groupOf(context, request)
  const settled = await settledBefore(context, { request, text, group }, known)
  if (settled !== undefined) return { ...settled, id: noteId(context.storeId, settled.key), occurrences: 0, redacted }
  const wanted = slug ?? slugFor(redactSecrets(request.title ?? '') || (titleIn(text) ?? text))
  const print = fingerprint(text)
  const created = localDate(context.runtime.now())
  for (const name of [wanted, slugWith(wanted, print), slugWith(wanted, print, 32)]) {
    const key = `${home}/${name}.md`
    const made = await createNote(
      context.backend,
      context.places.at(key),
      candidateText({ ...request, kind, text, group, created }, name),
    )
    const waiting = made.created
      ? ({ outcome: 'captured', occurrences: 1 } as const)
      : await countAgain(context, key, print)
    if (waiting !== undefined) return { ...waiting, id: noteId(context.storeId, key), key, redacted }
  }
  throw new InvalidNoteError('slug', `${JSON.stringify(wanted)} is taken in the inbox by another candidate.`)
}

/** The directory of waiting candidates. */
export async function inboxHome({ places }: MemoryContext): Promise<string> {
  return `${await places.personal()}/${inboxName}`
}

/** The key under which a rejected text is recorded. */
export async function rejectedKey(context: MemoryContext, text: string): Promise<string> {
  return `${await inboxHome(context)}/${rejectedName}/${wordPrint(text)}.md`
}

/** The earlier decision about this text, if there is one. */
async function settledBefore(
  context: MemoryContext,
  {
    request: { alwaysLoad },
    text,
    group,
  }: { readonly request: CaptureRequest; readonly text: string; readonly group: string },
  known: Pick<KnownNotes, 'sameText'>,
): Promise<Pick<CaptureResult, 'outcome' | 'key'> | undefined> {
  const rejected = await rejectedKey(context, text)
  if (await context.backend.exists(context.places.at(rejected))) return { outcome: 'rejected', key: rejected }
  const partitions = [...new Set([placeOf(`${group}/x/x.md`).partition, globalPartition])]
  const print = fingerprint(text)
  const same = await known.sameText({ partitions, print, alwaysLoad })
  const there = same === undefined ? undefined : await readIfPresent(context.backend, context.places.at(same))
  if (same === undefined || there === undefined) return undefined
  // The index is only a hint, because the note may have changed since.
  const { status, body } = parseNote(there, same)
  return status === 'active' && fingerprint(body) === print ? { outcome: 'known', key: same } : undefined
}

/** Throws if the request cannot become a candidate. */
export function checkCaptureRequest({ kind = 'idea', slug, text, tags = [], confidence }: CaptureRequest): void {
  if (!isSlug(kind))
    throw new InvalidNoteError('kind', `is lower-case letters, digits and hyphens, not ${JSON.stringify(kind)}.`)
  if (slug !== undefined && !isSlug(slug))
    throw new InvalidNoteError('slug', 'is lower-case letters, digits and hyphens.')
  if (!tags.every(isSlug)) throw new InvalidNoteError('tags', 'are lower-case letters, digits and hyphens.')
  if (text.trim() === '') throw new InvalidNoteError('text', 'is empty; there is nothing to capture.')
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
    throw new InvalidNoteError('confidence', `is between 0 and 1, not ${confidence}.`)
}

function candidateText(
  {
    kind,
    text,
    title,
    tags,
    group,
    created,
    alwaysLoad,
    by,
    confidence,
    rationale,
  }: CaptureRequest & {
    readonly kind: string
    readonly group: string
    readonly created: string
  },
  slug: string,
): string {
  const fields = {
    kind,
    status: 'inbox',
    created,
    tags: tags === undefined || tags.length === 0 ? undefined : tags,
    group,
    slug,
    always_load: alwaysLoad === true ? true : undefined,
    title: title === undefined ? undefined : redactSecrets(title.toWellFormed()),
    written_by: by,
    mining_confidence: confidence,
    mining_rationale: rationale === undefined ? undefined : JSON.stringify(redactSecrets(rationale.toWellFormed())),
    mining_occurrences: 1,
  }
  return noteText(fields, text)
}

/** Raises the count of the candidate that waits under this name; `undefined` if another candidate has the name. */
async function countAgain(
  context: MemoryContext,
  key: string,
  print: string,
): Promise<Pick<CaptureResult, 'outcome' | 'occurrences'> | undefined> {
  let again: Pick<CaptureResult, 'outcome' | 'occurrences'> | undefined
  await context.backend.update(context.places.at(key), (current) => {
    again = undefined
    const note = current === undefined ? undefined : parseNote(current, key)
    if (note === undefined || current === undefined || fingerprint(note.body) !== print) return undefined
    const isForgotten = note.status === 'deleted'
    if (isForgotten && textField(note.fields, 'deleted_by') === 'person') {
      again = { outcome: 'rejected', occurrences: 0 }
      return undefined
    }
    const occurrences = (numberField(note.fields, 'mining_occurrences') ?? 1) + 1
    again = { outcome: 'seen-again', occurrences }
    // A person's file already has this text, and is not changed.
    if (!note.isOwn) return undefined
    const waiting = isForgotten ? restoredText(current, note, key) : current
    return editFrontmatter(waiting, { mining_occurrences: occurrences })
  })
  return again
}
