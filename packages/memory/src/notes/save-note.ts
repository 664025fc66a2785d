/**
 * Saves one note. A conditional write makes sure that two writers of one slug never both win. Saving the same text again confirms
 * the existing note. Similar notes are reported and never merged.
 */
import { findSecrets } from '@agentm/nodes'
import { requireCapability } from '@agentm/storage-seam'
import { projectHome } from '../bound-project.ts'
import { createNote } from './create-note.ts'
import { IdempotencyConflictError, InvalidNoteError, SecretFoundError, SlugTakenError } from '../memory-errors.ts'
import type { MemoryContext } from '../memory-context.ts'
import { noteId } from './pure/note-id.ts'
import { timestamp } from './pure/calendar.ts'
import { localDate } from './local-date.ts'
import { editFrontmatter } from './pure/frontmatter.ts'
import { fingerprint, idempotencyTag } from './pure/fingerprint.ts'
import { alwaysLoadName, globalPartition, placeOf } from './pure/note-place.ts'
import { formatNote } from './pure/format-note.ts'
import { numberField } from './pure/note.ts'
import { mayChange } from './pure/may-change.ts'
import { parseNote } from './pure/parse-note.ts'
import type { Author } from './pure/shown.ts'
import { isSlug, slugFor, slugWith } from './pure/slug.ts'
import { titleIn } from './pure/title-in.ts'

/** A note to keep. */
export interface SaveRequest {
  /** Such as `decision`, `fix`, `preference`: lower-case letters, digits and hyphens. */
  readonly kind: string
  readonly text: string
  readonly title?: string
  /** Uses exactly this name or throws. Without it, a free name is made from the title or the text. */
  readonly slug?: string
  readonly tags?: readonly string[]
  /** `personal` belongs to no project (default: the project if one is open, otherwise `personal`). */
  readonly scope?: 'project' | 'personal'
  /**
   * Shows the note at the start of every session of the project, or of every project if the scope is `personal`. Only a person can
   * request this. A request by anybody else becomes a proposal in the inbox.
   */
  readonly alwaysLoad?: boolean
  /** Who wrote the text; it is stored in the note. Absent if the caller does not know. */
  readonly by?: Author
  /** A repeated request with this key returns the note that the first one made. */
  readonly idempotencyKey?: string
  /** The confidence of the writer, 0 to 1. */
  readonly confidence?: number
  readonly confidenceReason?: string
}

/** A note that says something similar to the one that was saved. */
export interface SimilarNote {
  readonly id: string
  readonly key: string
  readonly title: string
  /** The share of three-word sequences that both have, 0 to 1. */
  readonly likeness: number
}

/** The result of saving a note. */
export interface SaveResult {
  /**
   * `created`: a new note. `reinforced`: a note with this text existed and was confirmed. `known`: a note with this text exists and
   * was not changed, because somebody else owns it. `repeated`: this request was made before.
   */
  readonly outcome: 'created' | 'reinforced' | 'known' | 'repeated'
  readonly id: string
  /** Its place in the store, as a locator key. */
  readonly key: string
  readonly slug: string
  /** The project it belongs to; absent if it belongs to none and is recalled in every project. */
  readonly project?: string
  /** Notes with a similar text. */
  readonly similar: readonly SimilarNote[]
}

/** What the index knows: notes with this text, notes made by this request, and similar ones. */
export interface KnownNotes {
  /**
   * Searches the partitions in order. A note to be loaded in every session counts as known only if the found note is loaded in
   * every session, too.
   */
  sameText(wanted: SameText): Promise<string | undefined>
  tagged(partition: string, tag: string): Promise<string | undefined>
  similarTo(text: string, exceptKey: string): Promise<readonly SimilarNote[]>
}

export interface SameText {
  readonly partitions: readonly string[]
  /** Default: any kind. */
  readonly kind?: string
  readonly print: string
  readonly alwaysLoad?: boolean | undefined
}

/** `accepted`: a person accepted a proposal. */
export async function saveNote(
  context: MemoryContext,
  request: SaveRequest,
  known: KnownNotes,
  { accepted = false }: { readonly accepted?: boolean } = {},
): Promise<SaveResult> {
  requireCapability(context.backend, 'conditionalWrite')
  checkRequest(accepted ? { ...request, by: 'person' } : request)
  const group = await groupOf(context, request)
  const print = fingerprint(request.text)
  const tag = request.idempotencyKey === undefined ? undefined : idempotencyTag(request.idempotencyKey)
  const { partition } = placeOf(`${group}/x/x.md`)
  const wanted = { request, print, tag, accepted }
  const earlier = await findEarlier(context, { ...wanted, partition }, known)
  const outcome = earlier ?? (await create(context, { ...wanted, group }))
  const similar = outcome.outcome === 'created' ? await known.similarTo(request.text, outcome.key) : []
  const whose = placeOf(outcome.key).partition
  const project = whose === globalPartition ? {} : { project: whose }
  return { ...outcome, ...project, id: noteId(context.storeId, outcome.key), similar }
}

/** Throws if the request cannot become a note. All functions that make notes use it. */
export function checkRequest({ kind, text, title, slug, tags = [], confidence, alwaysLoad, by }: SaveRequest): void {
  if (!isSlug(kind)) throw new InvalidNoteError('kind', `is lower-case letters, digits and hyphens, not ${show(kind)}.`)
  if (slug !== undefined && !isSlug(slug))
    throw new InvalidNoteError(
      'slug',
      `is lower-case letters, digits and hyphens, not ${show(slug)}. Leave it out to get one.`,
    )
  const odd = tags.find((each) => !isSlug(each))
  if (odd !== undefined)
    throw new InvalidNoteError('tags', `are lower-case letters, digits and hyphens; ${show(odd)} is not.`)
  if (typeof text !== 'string' || text.trim() === '')
    throw new InvalidNoteError('text', 'is empty; there is nothing to save.')
  if (!text.isWellFormed()) throw new InvalidNoteError('text', 'holds half a surrogate pair; use toWellFormed() first.')
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1))
    throw new InvalidNoteError('confidence', `is between 0 and 1, not ${confidence}.`)
  if (alwaysLoad === true && by !== 'person')
    throw new InvalidNoteError('alwaysLoad', 'is for a person to decide. Capture the text: it then waits in the inbox.')
  const secrets = findSecrets([title ?? '', text].join('\n'))
  if (secrets.length > 0) throw new SecretFoundError([...new Set(secrets.map((found) => found.kind))])
}

function show(value: unknown): string {
  return JSON.stringify(value)
}

/** The directory of the note: that of the open project, unless the scope says otherwise. */
export async function groupOf(context: MemoryContext, { scope }: Pick<SaveRequest, 'scope'>): Promise<string> {
  const { project, places } = context
  if (scope === 'project' && project === undefined)
    throw new InvalidNoteError('scope', 'is the project, but memory is open for none. Save it as personal.')
  return scope === 'personal' || project === undefined ? places.personal() : projectHome(project)
}

type Saved = Omit<SaveResult, 'id' | 'project' | 'similar'>

interface Wanted {
  readonly request: SaveRequest
  readonly print: string
  readonly tag: string | undefined
  readonly accepted: boolean
}

/**
 * The note that an earlier request made, or one with the same text. A note without a project is known in every project. A note of
 * one project is not known in the others.
 */
async function findEarlier(
  context: MemoryContext,
  { partition, ...wanted }: Wanted & { readonly partition: string },
  known: KnownNotes,
): Promise<Saved | undefined> {
  const { request, print, tag } = wanted
  const made = tag === undefined ? undefined : await known.tagged(partition, tag)
  if (made !== undefined) return repeated(context, made, print)
  if (request.slug !== undefined) return undefined
  const partitions = [...new Set([partition, globalPartition])]
  const { kind, alwaysLoad } = request
  const same = await known.sameText({ partitions, kind, print, alwaysLoad })
  return same === undefined ? undefined : reinforce(context, same, wanted)
}

async function repeated(context: MemoryContext, key: string, print: string): Promise<Saved | undefined> {
  const text = await context.backend.read(context.places.at(key))
  const note = parseNote(text, key)
  if (fingerprint(note.body) !== print) throw new IdempotencyConflictError(key)
  return { outcome: 'repeated', key, slug: note.slug }
}

/** Confirms a note with this text; `undefined` if it no longer has this text. */
async function reinforce(
  context: MemoryContext,
  key: string,
  { print, request, accepted }: Wanted,
): Promise<Saved | undefined> {
  const by = accepted ? 'person' : request.by
  const at = context.runtime.now()
  let found: 'reinforced' | 'known' | undefined
  const text = await context.backend.update(context.places.at(key), (current) => {
    found = undefined
    const note = current === undefined ? undefined : parseNote(current, key)
    if (note === undefined || current === undefined) return undefined
    if (note.status !== 'active' || fingerprint(note.body) !== print) return undefined
    found = mayChange(note, { by }) ? 'reinforced' : 'known'
    if (found === 'known') return undefined
    const times = (numberField(note.fields, 'reinforce_count') ?? 1) + 1
    const updated = localDate(at)
    const confirmed = { updated, reinforce_count: times, last_reinforced: timestamp(at) }
    return editFrontmatter(current, accepted ? { ...confirmed, accepted_by: 'person' } : confirmed)
  })
  return found === undefined || text === undefined
    ? undefined
    : { outcome: found, key, slug: parseNote(text, key).slug }
}

/** Tries names until one is free or already has this text. */
async function create(context: MemoryContext, wanted: Wanted & { readonly group: string }): Promise<Saved> {
  for (const slug of slugsFor(wanted)) {
    const key = keyOf(wanted, slug)
    const made = await createNote(context.backend, context.places.at(key), formatWanted(context, wanted, slug))
    if (made.created) return { outcome: 'created', key, slug }
    const saved = await settle(context, { key, there: made.there, ...wanted })
    if (saved !== undefined) return saved
    if (wanted.request.slug !== undefined)
      throw new SlugTakenError(key, { forgotten: parseNote(made.there, key).status === 'deleted' })
  }
  throw new SlugTakenError(keyOf(wanted, slugsFor(wanted)[0] ?? ''))
}

/** The result if a note already has the name; `undefined` if another name is needed. */
async function settle(
  context: MemoryContext,
  { key, there, ...wanted }: Wanted & { readonly key: string; readonly there: string },
): Promise<Saved | undefined> {
  const { print, tag } = wanted
  const note = parseNote(there, key)
  if (tag !== undefined && note.tags.includes(tag)) return repeated(context, key, print)
  if (note.status !== 'active' || fingerprint(note.body) !== print) return undefined
  return reinforce(context, key, wanted)
}

/** A request with an idempotency key names its note by the key, so that repeating the request finds it. */
function slugsFor({ request, print, tag }: Wanted): readonly string[] {
  if (request.slug !== undefined) return [request.slug]
  const slug = slugFor(request.title ?? titleIn(request.text) ?? request.text)
  if (tag !== undefined) return [slugWith(slug, tag.slice('idem-'.length), 8), slugWith(slug, print, 12)]
  return [slug, slugWith(slug, print), slugWith(slug, print, 12), slugWith(slug, print, 32)]
}

function keyOf({ request, group }: { readonly request: SaveRequest; readonly group: string }, slug: string): string {
  return request.alwaysLoad === true ? `${group}/${alwaysLoadName}/${slug}.md` : `${group}/${request.kind}/${slug}.md`
}

function formatWanted(
  context: MemoryContext,
  { request, group, tag, accepted }: Wanted & { readonly group: string },
  slug: string,
): string {
  const { kind, text, title, tags = [], alwaysLoad = false, by, confidence, confidenceReason } = request
  return formatNote({
    kind,
    created: localDate(context.runtime.now()),
    tags: [...new Set(tag === undefined ? tags : [...tags, tag])],
    group,
    slug,
    alwaysLoad,
    more: {
      title,
      written_by: by,
      accepted_by: accepted ? 'person' : undefined,
      confidence,
      confidence_reason: confidenceReason,
    },
    text,
  })
}
