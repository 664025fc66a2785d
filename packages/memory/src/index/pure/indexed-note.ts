/** What the index keeps of a note: the facts that are needed without opening it, and its terms, by which it is ranked. */
import { contentHash } from '@agentm/storage-seam'
import { fingerprint } from '../../notes/pure/fingerprint.ts'
import { aliasesOf } from '../../notes/pure/aliases-of.ts'
import { fileNameOf } from '../../notes/pure/links-in.ts'
import { isPublished, type Note, numberField, textField } from '../../notes/pure/note.ts'
import { noteId } from '../../notes/pure/note-id.ts'
import type { Author } from '../../notes/pure/shown.ts'
import { searchedFields } from '../../notes/pure/searched-fields.ts'
import { statementIn } from '../../notes/pure/statement-in.ts'
import { analyzeNote, type AnalyzedNote } from '../../ranking/pure/rank-lexical.ts'
import { isRoutineStatement } from '../../recall/pure/routine.ts'
import { recalledText } from './recalled-text.ts'
import { stretchesOf } from './stretches.ts'

/** The facts of one note. */
export interface IndexedNote {
  readonly id: string
  readonly key: string
  /** The hash of the file's text. */
  readonly hash: string
  /** The backend's hint that the content may have changed. */
  readonly revision?: string
  readonly partition: string
  readonly kind: string
  readonly status: string
  /** Whether it is an entry of agentm. Every other note is a person's own file. */
  readonly isOwn: boolean
  /** Set for a belief that another device published. */
  readonly belief?: { readonly id: string; readonly version: number; readonly owner: string }
  /** Set if it only says how a step or a loop ended. */
  readonly isRoutine?: true
  readonly writtenBy?: Author
  readonly slug: string
  readonly title: string
  readonly tags: readonly string[]
  /** Its other names, in the form in which links are compared. */
  readonly aliases?: readonly string[]
  readonly section: string
  readonly alwaysLoad: boolean
  /** The slug in the note, if it differs from the file name. */
  readonly named?: string
  readonly createdAt: number
  readonly agesFrom: number
  /** When this text was first seen on this device, in epoch milliseconds. */
  readonly seenAt: number
  /** Equal for equal texts. Empty for a forgotten note. */
  readonly print: string
}

/** A note that was read, cut into terms once. */
export interface AnalyzedFile {
  readonly note: IndexedNote
  readonly analyzed: AnalyzedNote
  /** The texts whose meaning is compared. */
  readonly stretches: readonly string[]
}

/** A note's file as it was read. */
export interface LoadedNote {
  readonly key: string
  readonly text: string
  readonly revision: string | undefined
}

export interface IndexedAs {
  readonly storeId: string
  /** When this text was first seen on this device. */
  readonly seenAt?: number
  /** Directories among the projects that are no agentm projects. */
  readonly foreign?: ReadonlySet<string> | undefined
}

/** Notes with these statuses are recalled only if the status is asked for. */
const restingStatuses = new Set(['superseded', 'deleted', 'inbox', 'archived', 'pruned', 'expired'])

export function isActive(status: string): boolean {
  return !restingStatuses.has(status)
}

/** The version of the stored form. An index of another version is made again. */
export const indexForm = 7

/** What the index keeps of a parsed note. */
export function analyzedNote(
  note: Note,
  { key, text, revision }: LoadedNote,
  { storeId, seenAt = 0 }: Omit<IndexedAs, 'foreign'>,
): AnalyzedFile {
  const isGone = note.status === 'deleted'
  // Of a forgotten note, only the name is kept.
  const body = isGone ? '' : recalledText(note.body.trim())
  const title = isGone ? note.slug : [note.name, ...note.tags].join(' ')
  const named = otherName(key, note)
  const facts: IndexedNote = {
    id: noteId(storeId, key),
    key,
    hash: contentHash(text),
    ...(revision === undefined ? {} : { revision }),
    partition: note.partition,
    kind: note.kind,
    status: note.status,
    isOwn: note.isOwn,
    ...beliefIn(note, key),
    ...(note.writtenBy === undefined ? {} : { writtenBy: note.writtenBy }),
    slug: note.slug,
    title: isGone ? note.slug : note.title,
    tags: note.tags,
    ...(isGone ? {} : aliasesIn(note)),
    section: note.section,
    alwaysLoad: note.alwaysLoad,
    ...(named === undefined ? {} : { named }),
    createdAt: note.createdAt,
    agesFrom: note.agesFrom,
    seenAt,
    print: isGone ? '' : fingerprint(note.body),
  }
  const analyzed = analyzeNote({ title, text: body, fields: searchedFields(note) })
  return { note: facts, analyzed, stretches: stretchesOf(title, body) }
}

/** The names by which links find a note: that of its file, and its aliases. */
export function linkNames({ key, aliases = [] }: Pick<IndexedNote, 'key' | 'aliases'>): readonly string[] {
  return [fileNameOf(key), ...aliases]
}

function aliasesIn(note: Note): Pick<IndexedNote, 'aliases'> {
  const own = fileNameOf(note.slug)
  const aliases = new Set(aliasesOf(note).map(fileNameOf))
  aliases.delete('')
  aliases.delete(own)
  return aliases.size === 0 ? {} : { aliases: [...aliases] }
}

function beliefIn({ fields, body, writtenBy }: Note, key: string): Pick<IndexedNote, 'belief' | 'isRoutine'> {
  if (!isPublished(key, fields)) return writtenBy === 'agent' && isRoutineStatement(body) ? { isRoutine: true } : {}
  const [id = '', owner = ''] = ['belief', 'owner'].map((name) => textField(fields, name))
  const version = numberField(fields, 'version') ?? 0
  const isRoutine = isRoutineStatement(statementIn(body))
  return { belief: { id, owner, version }, ...(isRoutine ? { isRoutine } : {}) }
}

function otherName(key: string, note: Note): string | undefined {
  const named = note.isOwn ? note.fields.get('slug') : undefined
  if (typeof named !== 'string' || named === '' || /[/\\\0]|^\.+$/.test(named)) return undefined
  return `${named}.md` === key.slice(key.lastIndexOf('/') + 1) ? undefined : named
}
