/**
 * Puts a candidate into the inbox, where it waits for a person or a review. What it says is data: it is never recalled,
 * never followed, and secrets in it are replaced before it is written.
 */
import { findSecrets, redactSecrets } from '@agentm/nodes'
import { requireCapability } from '@agentm/storage-seam'
import { createNote } from './create-note.ts'
import { InvalidNoteError } from './memory-errors.ts'
import type { MemoryContext } from './memory-context.ts'
import { noteId } from './pure/note-id.ts'
import { editFrontmatter } from './pure/frontmatter.ts'
import { fingerprint } from './pure/fingerprint.ts'
import { inboxName } from './pure/note-place.ts'
import { noteText } from './pure/format-note.ts'
import { numberField } from './pure/note.ts'
import { parseNote } from './pure/parse-note.ts'
import type { Author } from './pure/shown.ts'
import { isSlug, slugFor, slugWith } from './pure/slug.ts'
import { titleIn } from './pure/title-in.ts'
import { groupOf } from './save-note.ts'

export interface CaptureRequest {
  readonly text: string
  readonly kind?: string
  readonly slug?: string
  /** 0 to 1. */
  readonly confidence?: number
  readonly rationale?: string
  readonly title?: string
  readonly tags?: readonly string[]
  /** Where it would go; the project, where one is open, else `personal`. */
  readonly scope?: 'project' | 'personal'
  /** Proposes that the note is shown at the start of every session there. A person decides. */
  readonly alwaysLoad?: boolean
  /** Whose words these are. Absent where the caller does not know. */
  readonly by?: Author
}

export interface CaptureResult {
  /** `seen-again`: it was waiting already and was counted once more. */
  readonly outcome: 'captured' | 'seen-again'
  readonly id: string
  readonly key: string
  readonly occurrences: number
  /** Kinds of secrets that were replaced. */
  readonly redacted: readonly string[]
}

export async function captureNote(context: MemoryContext, request: CaptureRequest): Promise<CaptureResult> {
  requireCapability(context.backend, 'conditionalWrite')
  checkCaptureRequest(request)
  const { kind = 'idea', slug } = request
  const given = request.text.toWellFormed()
  const text = redactSecrets(given)
  const redacted = [...new Set(findSecrets(given).map((found) => found.kind))]
  const home = `${await context.places.personal()}/${inboxName}`
  const group = await groupOf(context, request)
  const wanted = slug ?? slugFor(redactSecrets(request.title ?? '') || (titleIn(text) ?? text))
  const print = fingerprint(text)
  for (const name of [wanted, slugWith(wanted, print), slugWith(wanted, print, 32)]) {
    const key = `${home}/${name}.md`
    const made = await createNote(
      context.backend,
      context.places.at(key),
      candidateText({ ...request, kind, text, group }, name),
    )
    const occurrences = made.created ? 1 : await countAgain(context, key, print)
    if (occurrences !== undefined)
      return {
        outcome: made.created ? 'captured' : 'seen-again',
        id: noteId(context.storeId, key),
        key,
        occurrences,
        redacted,
      }
  }
  throw new InvalidNoteError('slug', `${JSON.stringify(wanted)} is taken in the inbox by another candidate.`)
}

/** Refuses what no candidate may be. */
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
    alwaysLoad,
    by,
    confidence,
    rationale,
  }: CaptureRequest & {
    readonly kind: string
    readonly group: string
  },
  slug: string,
): string {
  const fields = {
    kind,
    status: 'inbox',
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

/** How often the waiting candidate was seen now; nothing where the name holds another one. */
async function countAgain(context: MemoryContext, key: string, print: string): Promise<number | undefined> {
  let occurrences: number | undefined
  await context.backend.update(context.places.at(key), (current) => {
    const note = current === undefined ? undefined : parseNote(current, key)
    occurrences = undefined
    if (note === undefined || current === undefined || fingerprint(note.body) !== print) return undefined
    occurrences = (numberField(note.fields, 'mining_occurrences') ?? 1) + 1
    // A person's file says it already, and stays as it is.
    if (!note.isOwn) return undefined
    return editFrontmatter(current, { mining_occurrences: occurrences })
  })
  return occurrences
}
