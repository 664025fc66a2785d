/**
 * Brings entries of other programs into the store as notes. Each note keeps its origin in its fields, so that a second import finds it:
 * an unchanged entry does nothing, and a changed one replaces its note. Secrets are replaced before anything is compared or written.
 */
import { findSecrets, redactSecrets } from '@agentm/nodes'
import { contentHash, type Locator, requireCapability, type StorageBackend } from '@agentm/storage-seam'
import { createNote } from './create-note.ts'
import { KnownImports, knownImports } from './known-imports.ts'
import { localDate } from './local-date.ts'
import { InvalidNoteError, SlugTakenError } from '../memory-errors.ts'
import type { MemoryContext } from '../memory-context.ts'
import { timestamp } from './pure/calendar.ts'
import { fingerprint } from './pure/fingerprint.ts'
import { formatNote } from './pure/format-note.ts'
import type { FieldValue } from './pure/frontmatter.ts'
import { type ImportRefusal, type NoteOrigin, originName, storedId } from './pure/import-decision.ts'
import { isNoteField } from './pure/lint-note.ts'
import { parseNote } from './pure/parse-note.ts'
import { oneLine } from './pure/shown.ts'
import type { Author } from './pure/shown.ts'
import { slugFor, slugWith } from './pure/slug.ts'
import { readIfPresent } from './read-if-present.ts'
import { groupOf } from './save-note.ts'
import { supersedeNote } from './supersede-note.ts'

/** An entry of another program. */
export interface ForeignNote {
  readonly origin: NoteOrigin
  readonly kind: string
  readonly title: string
  readonly text: string
  readonly tags?: readonly string[]
  /** The file name to use if it is free (default: made from the title). */
  readonly slug?: string
  /** Who wrote the text; absent if unknown. */
  readonly writtenBy?: Author
  /** When it was written there, in epoch milliseconds. */
  readonly at?: number
  /** Other fields to keep, such as `aliases`. Fields that agentm gives a meaning are left out. */
  readonly fields?: Readonly<Record<string, FieldValue>>
}

/** How entries are imported. */
export interface ImportOptions {
  /** `personal` belongs to no project (default: the project if one is open, otherwise `personal`). */
  readonly scope?: 'project' | 'personal'
  /** Who asks for the import. Only a person may replace notes that no agent wrote. */
  readonly by?: Author
  /** If false, nothing is written, and the results say what would be. */
  readonly write: boolean
}

/** What became of one entry. */
export interface ImportResult {
  /** `known`: another note has this text. */
  readonly outcome: 'new' | 'changed' | 'unchanged' | 'known' | 'skipped'
  /** Why it was skipped. */
  readonly why?: ImportRefusal
  /** The note; absent if it would be made. */
  readonly key?: string
  /** The kinds of secrets that were replaced in it. */
  readonly redacted: readonly string[]
}

/** An import under way. Call `add` for each entry and `finish` at the end. */
export interface NoteImport {
  add(note: ForeignNote): Promise<ImportResult>
  /** Puts an exported note back at its place, byte for byte. If another text is there, it stays, and the answer is `conflict`. */
  putBack(key: string, text: string): Promise<'new' | 'unchanged' | 'conflict'>
  /** Brings the index up to date. After an interrupted import, the next recall does it. */
  finish(): Promise<void>
}

/** An import that writes nothing, for a store that does not exist yet. */
export function previewImport(): NoteImport {
  return { ...importInto(new KnownImports(), async () => ''), putBack: async () => 'new' }
}

export async function openNoteImport(
  context: MemoryContext,
  { scope, by, write }: ImportOptions,
  finish: () => Promise<void>,
): Promise<NoteImport> {
  requireCapability(context.backend, 'conditionalWrite')
  const group = await groupOf(context, scope === undefined ? {} : { scope })
  const known = await knownImports(context, { groups: [group, await context.places.personal()], by })
  const putBack: NoteImport['putBack'] = async (key, text) => putBackIn(context, { key, text, write })
  if (!write) return { ...importInto(known, async () => ''), putBack }
  const writing = importInto(known, async (note, replaced) =>
    replaced === undefined ? create(context, { note, group }) : replace(context, { note, key: replaced, by }),
  )
  return { ...writing, putBack, finish }
}

type Write = (note: CleanNote, replaced: string | undefined) => Promise<string>

function importInto(known: KnownImports, write: Write): Omit<NoteImport, 'putBack'> {
  return {
    async add(given) {
      const { note, redacted } = cleaned(given)
      const { origin, print } = note
      const decision = known.decide({ origin: originName(origin), print })
      if (decision.action === 'skip') return { outcome: 'skipped', why: decision.why, key: decision.key, redacted }
      if (decision.action === 'known') return { outcome: 'known', ...named(decision.key), redacted }
      if (decision.action === 'keep') return { outcome: 'unchanged', ...named(decision.key), redacted }
      const replaced = decision.action === 'replace' ? decision.key : undefined
      const key = await write(note, replaced)
      known.add({ key, print, isActive: true, mayReplace: true, origin: originName(origin), imported: print })
      return { outcome: replaced === undefined ? 'new' : 'changed', ...named(key), redacted }
    },
    finish: async () => {},
  }
}

interface PutBack {
  readonly key: string
  readonly text: string
  readonly write: boolean
}

async function putBackIn({ backend, places }: MemoryContext, { key, text, write }: PutBack) {
  const at = places.at(key)
  const there = write ? await thereOrCreated(backend, at, text) : await readIfPresent(backend, at)
  if (there === undefined) return 'new'
  return there === text ? 'unchanged' : 'conflict'
}

async function thereOrCreated(backend: StorageBackend, at: Locator, text: string): Promise<string | undefined> {
  const made = await createNote(backend, at, text)
  return made.created ? undefined : made.there
}

function named(key: string): { readonly key?: string } {
  return key === '' ? {} : { key }
}

interface CleanNote extends ForeignNote {
  readonly tags: readonly string[]
  readonly slug: string
  readonly print: string
}

/** Without secrets, and in the forms that a note needs. */
function cleaned(given: ForeignNote): { readonly note: CleanNote; readonly redacted: readonly string[] } {
  const kinds = new Set<string>()
  const clean = (text: string) => {
    for (const { kind } of findSecrets(text)) kinds.add(kind)
    return redactSecrets(text).toWellFormed()
  }
  const text = clean(given.text)
  if (text.trim() === '') throw new InvalidNoteError('text', 'is empty; there is nothing to import.')
  const title = oneLine(clean(given.title), mostOfTitle)
  const note = {
    ...given,
    origin: { from: given.origin.from, id: storedId(clean(given.origin.id)) },
    kind: slugFor(given.kind),
    title,
    text,
    tags: [...new Set((given.tags ?? []).map((tag) => slugFor(clean(tag))))].slice(0, mostTags),
    slug: slugFor(clean(given.slug ?? title)),
    fields: cleanFields(given.fields ?? {}, clean),
    print: fingerprint(text),
  }
  return { note, redacted: [...kinds] }
}

const mostOfTitle = 240
const mostTags = 30

function cleanFields(fields: Readonly<Record<string, FieldValue>>, clean: (text: string) => string) {
  const cleanValue = (value: FieldValue): FieldValue => {
    if (typeof value === 'string') return clean(value)
    return Array.isArray(value) ? value.map((item: string) => clean(item)) : value
  }
  const kept = Object.entries(fields).filter(([name]) => fieldName.test(name) && !isNoteField(name))
  return Object.fromEntries(kept.map(([name, value]) => [name, cleanValue(value)]))
}

const fieldName = /^[A-Za-z][\w-]{0,40}$/

function originFields({ origin, at, print }: CleanNote): Readonly<Record<string, FieldValue | undefined>> {
  return {
    imported_from: origin.from,
    imported_id: origin.id,
    imported_time: at === undefined ? undefined : timestamp(at),
    imported_hash: print,
  }
}

interface Creation {
  readonly note: CleanNote
  readonly group: string
}

/** Tries names until one is free. A note of this entry that another process made meanwhile counts as made. */
async function create(context: MemoryContext, { note, group }: Creation): Promise<string> {
  const { backend, places } = context
  const origin = originName(note.origin)
  const mark = contentHash(origin)
  const keyOf = (slug: string) => `${group}/${note.kind}/${slug}.md`
  for (const slug of [note.slug, ...[6, 12, 32].map((digits) => slugWith(note.slug, mark, digits))]) {
    const key = keyOf(slug)
    const made = await createNote(backend, places.at(key), formatImported(context, { note, group, slug }))
    if (made.created || isOf(made.there, { key, origin })) return key
  }
  throw new SlugTakenError(keyOf(note.slug))
}

function isOf(text: string, { key, origin }: { readonly key: string; readonly origin: string }): boolean {
  const { fields } = parseNote(text, key)
  const [from, id] = [fields.get('imported_from'), fields.get('imported_id')]
  return typeof from === 'string' && typeof id === 'string' && originName({ from, id }) === origin
}

function formatImported(context: MemoryContext, { note, group, slug }: Creation & { readonly slug: string }): string {
  const { kind, title, text, tags, at, writtenBy, fields } = note
  return formatNote({
    kind,
    created: localDate(at ?? context.runtime.now()),
    tags,
    group,
    slug,
    more: { title, written_by: writtenBy, ...fields, ...originFields(note) },
    text,
  })
}

interface Replacement {
  readonly note: CleanNote
  readonly key: string
  readonly by: Author | undefined
}

/** The former text goes into the archive. */
async function replace(context: MemoryContext, { note, key, by }: Replacement): Promise<string> {
  const { text, title, at, writtenBy } = note
  const dated = at === undefined ? {} : { created: localDate(at) }
  await supersedeNote(context, key, {
    text,
    title,
    reason: `it changed in ${note.origin.from}`,
    ...(by === undefined ? {} : { by }),
    fields: { written_by: writtenBy, ...dated, ...originFields(note) },
  })
  return key
}
