/**
 * The inbox: proposals that wait for a person. The person can edit one, accept it as a note, or reject it; a rejected text is not
 * proposed again. Only a person decides, and a proposal is not recalled before it is accepted.
 */
import { findSecrets } from '@agentm/nodes'
import { contentHash, isSeamError, type Locator, requireCapability } from '@agentm/storage-seam'
import { readablePartitions } from '../bound-project.ts'
import { checkCaptureRequest, inboxHome, rejectedKey } from '../notes/capture-note.ts'
import { createNote } from '../notes/create-note.ts'
import { isUnreadable } from '../notes/is-unreadable.ts'
import type { MemoryContext } from '../memory-context.ts'
import { NoteAbsentError, PersonNeededError, SecretFoundError } from '../memory-errors.ts'
import { timestamp } from '../notes/pure/calendar.ts'
import { type InboxCandidate, candidateOf } from './pure/candidate.ts'
import { editFrontmatter } from '../notes/pure/frontmatter.ts'
import { rejectedName } from '../notes/pure/note-place.ts'
import { parseNote } from '../notes/pure/parse-note.ts'
import type { Author } from '../notes/pure/shown.ts'
import { readIfPresent } from '../notes/read-if-present.ts'
import { groupOf, type KnownNotes, saveNote, type SaveRequest, type SaveResult } from '../notes/save-note.ts'

/** The proposals that wait in the inbox. */
export interface InboxAnswer {
  /** Oldest first. */
  readonly candidates: readonly InboxCandidate[]
  /** How many proposals of other projects wait. */
  readonly elsewhere: number
  /** Keys of files that exist but cannot be read now. */
  readonly unreadable: readonly string[]
}

export interface CandidateChange extends Pick<SaveRequest, 'kind' | 'text' | 'title' | 'tags' | 'scope'> {
  readonly by?: Author
}

export interface AcceptOptions extends Pick<SaveRequest, 'scope' | 'slug'> {
  readonly by?: Author
  /**
   * Shows the note at the start of every session of its project, or of all projects if it belongs to none. It must be granted
   * explicitly.
   */
  readonly alwaysLoad?: boolean
}

export interface RejectResult {
  /** The key of the stored text, so that the text is recognised when it is proposed again. */
  readonly key: string
}

export async function listInbox(
  context: MemoryContext,
  { rejected = false }: { readonly rejected?: boolean } = {},
): Promise<InboxAnswer> {
  const home = await inboxHome(context)
  const unreadable: string[] = []
  const candidates: InboxCandidate[] = []
  for (const at of await context.backend.list(context.places.at(rejected ? `${home}/${rejectedName}` : home))) {
    const found = await read(context, at)
    if (found === 'unreadable') unreadable.push(at.key)
    else if (found?.status === (rejected ? 'rejected' : 'waiting')) candidates.push(found)
  }
  const readable = readablePartitions(context.project)
  const here = candidates.filter(({ partition }) => readable.includes(partition))
  return { candidates: here.toSorted(oldestFirst), elsewhere: candidates.length - here.length, unreadable }
}

/** Finds a proposal by its name or key. Proposals of other projects count as absent. */
export async function findCandidate(context: MemoryContext, wanted: string): Promise<InboxCandidate> {
  const home = await inboxHome(context)
  const name = wanted.replace(/\.md$/i, '')
  const keys = name.startsWith(`${home}/`)
    ? [`${name}.md`]
    : [`${home}/${name}.md`, `${home}/${rejectedName}/${name}.md`]
  for (const key of keys) {
    const at = locatorOf(context, key)
    const found = at === undefined ? undefined : await read(context, at)
    const isHere = found !== undefined && found !== 'unreadable' && found.status !== 'gone'
    if (isHere && readablePartitions(context.project).includes(found.partition)) return found
  }
  throw new NoteAbsentError(wanted)
}

/** Accepts a proposal as a note. Loading it in every session needs an explicit grant by the person. */
export async function acceptCandidate(
  context: MemoryContext,
  wanted: string,
  { by, alwaysLoad = false, ...options }: AcceptOptions,
  known: KnownNotes,
): Promise<SaveResult> {
  const candidate = await decided(context, wanted, by)
  const { kind, text, title, tags, writtenBy, confidence, reason, partition } = candidate
  const scope = options.scope ?? (partition === context.project?.slug ? 'project' : 'personal')
  const request = {
    kind,
    text,
    tags,
    scope,
    alwaysLoad,
    ...given('slug', options.slug),
    ...given('title', title),
    ...given('by', writtenBy),
    ...given('confidence', confidence),
    ...given('confidenceReason', reason),
  }
  // The note is written first, so that a crash in between leaves the candidate twice but loses no text.
  const saved = await saveNote(context, request, known, { accepted: true })
  await remove(context, candidate.key, (current) => editFrontmatter(current, { status: 'accepted' }))
  return saved
}

/** Edits the text or the target of a proposal before it is decided. A text that a person edited counts as written by a person. */
export async function editCandidate(
  context: MemoryContext,
  wanted: string,
  { by, ...change }: Partial<CandidateChange>,
): Promise<InboxCandidate> {
  const before = await decided(context, wanted, by)
  checkCaptureRequest({ ...before, ...change, text: change.text ?? before.text })
  const secrets = findSecrets([change.title ?? '', change.text ?? ''].join('\n'))
  if (secrets.length > 0) throw new SecretFoundError([...new Set(secrets.map(({ kind }) => kind))])
  const group = change.scope === undefined ? undefined : await groupOf(context, change)
  const after = await context.backend.update(context.places.at(before.key), (current) => {
    if (current === undefined) return undefined
    const head = editFrontmatter(current, {
      ...given('kind', change.kind),
      ...given('title', change.title),
      ...given('tags', change.tags),
      ...given('group', group),
      ...(change.text === undefined ? {} : { written_by: 'person' }),
    })
    if (change.text === undefined) return head
    const { body } = parseNote(head, before.key)
    return `${head.slice(0, head.length - body.length)}\n${change.text.replace(/[\r\n]+$/, '')}\n`
  })
  if (after === undefined) throw new NoteAbsentError(wanted)
  return candidateOf(after, before.key)
}

/** Rejects a proposal. Its text is kept, so that it is recognised and not proposed again. */
export async function rejectCandidate(
  context: MemoryContext,
  wanted: string,
  { by, reason }: { readonly by?: Author; readonly reason?: string },
): Promise<RejectResult> {
  const candidate = await decided(context, wanted, by)
  const key = await rejectedKey(context, candidate.text)
  if (candidate.key === key) return { key }
  const text = await context.backend.read(context.places.at(candidate.key))
  const turnedDown = (current: string) =>
    editFrontmatter(current, {
      status: 'rejected',
      rejected_at: timestamp(context.runtime.now()),
      ...given('rejected_reason', reason),
    })
  await createNote(context.backend, context.places.at(key), turnedDown(text))
  await remove(context, candidate.key, turnedDown)
  return { key }
}

async function decided(context: MemoryContext, wanted: string, by: Author | undefined): Promise<InboxCandidate> {
  requireCapability(context.backend, 'conditionalWrite')
  const candidate = await findCandidate(context, wanted)
  if (by !== 'person') throw new PersonNeededError(candidate.key, 'decide')
  return candidate
}

async function read(context: MemoryContext, at: Locator): Promise<InboxCandidate | 'unreadable' | undefined> {
  if (!/\.md$/i.test(at.name) || at.name.startsWith('.')) return undefined
  try {
    const text = await readIfPresent(context.backend, at)
    return text === undefined ? undefined : candidateOf(text, at.key)
  } catch (error) {
    if (isUnreadable(error)) return 'unreadable'
    throw error
  }
}

/** If the backend cannot remove files, the file's status says that it no longer waits. */
async function remove(context: MemoryContext, key: string, over: (text: string) => string): Promise<void> {
  const { backend, places } = context
  const text = await readIfPresent(backend, places.at(key))
  if (text === undefined) return
  try {
    if (backend.capabilities.removal) await backend.remove(places.at(key), { ifHash: contentHash(text) })
    else await backend.write(places.at(key), over(text), { ifHash: contentHash(text) })
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return
    if (!isSeamError(error, 'CONCURRENT_MODIFICATION')) throw error
    // The proposal was made again meanwhile and its count changed.
    await remove(context, key, over)
  }
}

function locatorOf({ places }: MemoryContext, key: string): Locator | undefined {
  try {
    return places.at(key)
  } catch (error) {
    if (isSeamError(error, 'INVALID_LOCATOR')) return undefined
    throw error
  }
}

function oldestFirst(a: InboxCandidate, b: InboxCandidate): number {
  return a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1)
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}
