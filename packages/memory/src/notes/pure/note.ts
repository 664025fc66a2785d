/** A note, described by its fields, and by its key if a field is absent. */
import { type Frontmatter, plainFrontmatter } from './plain-frontmatter.ts'
import { alwaysLoadName, beliefsHome, placeOf } from './note-place.ts'
import { isOwnEntry } from './own-entry.ts'
import type { Author } from './shown.ts'
import { statementIn } from './statement-in.ts'
import { titleIn } from './title-in.ts'

/** A note, described by its text and its key. */
export interface Note {
  readonly kind: string
  /** `active`, `superseded`, `deleted`, `inbox` or another status of an entry of agentm. Every other note is `active`. */
  readonly status: string
  /** Whether it is an entry of agentm. Otherwise it is a note that a person keeps in the same vault. */
  readonly isOwn: boolean
  readonly slug: string
  /** The `title` field, otherwise the first line, otherwise the name. */
  readonly title: string
  /** The name that recall searches beside the text: the field, otherwise the heading at the start, otherwise the file name. */
  readonly name: string
  /** Absent if unknown, as in notes written by hand. */
  readonly writtenBy: Author | undefined
  readonly tags: readonly string[]
  readonly partition: string
  readonly section: string
  readonly alwaysLoad: boolean
  /** Epoch milliseconds; 0 if the time is unknown. */
  readonly createdAt: number
  /** The time that its age counts from: the last confirmation. */
  readonly agesFrom: number
  readonly supersedes: string | undefined
  readonly fields: ReadonlyMap<string, unknown>
  /** The exact text with its blank lines. For a published belief, only the statement. */
  readonly body: string
  /** What is wrong with its fields, if anything. */
  readonly problem: string | undefined
}

/** The note, if its fields can be read without a YAML parser. Nearly all can. */
export function plainNote(text: string, key: string, foreign?: ReadonlySet<string>): Note | undefined {
  const found = plainFrontmatter(text)
  return found === undefined ? undefined : noteOf(found, key, foreign)
}

/** `foreign` lists directories among the projects that are no agentm projects. */
export function noteOf({ fields, body, problem }: Frontmatter, key: string, foreign?: ReadonlySet<string>): Note {
  const named = placeOf(key)
  const isOwn = isOwnEntry(fields, named)
  // An entry that agentm wrote for a project stays in it, whatever else the directory contains.
  const place = isOwn ? named : placeOf(key, foreign)
  const isBelief = isPublished(key, fields)
  const slug = textField(fields, 'slug') ?? place.stem
  const written = ['created', 'date', 'updated'].flatMap((name) => timeField(fields, name) ?? [])
  const createdAt = written[0] ?? timeIn(place.stem) ?? 0
  const spelled = slug.replaceAll(/[-_]+/g, ' ').trim()
  const statement = isBelief ? `\n${statementIn(body)}\n` : body
  const confirmed = ['last_reinforced', 'updated'].map((name) => timeField(fields, name) ?? 0)
  return {
    kind: textField(fields, 'kind') ?? (place.section === '' ? place.stem : place.section),
    status: isOwn ? (textField(fields, 'status') ?? 'active') : 'active',
    isOwn,
    slug,
    title: textField(fields, 'title') ?? titleIn(statement) ?? spelled,
    name: textField(fields, 'title') ?? headingOf(body) ?? spelled,
    writtenBy: authorIn(fields),
    tags: listField(fields, 'tags'),
    partition: isBelief ? (textField(fields, 'partition') ?? place.partition) : place.partition,
    section: isBelief ? '' : place.section,
    alwaysLoad: place.isOurs && place.section === alwaysLoadName,
    createdAt,
    agesFrom: Math.max(createdAt, ...confirmed),
    supersedes: textField(fields, 'supersedes'),
    fields,
    body: statement,
    problem,
  }
}

/** Whether a device published it for other devices: a belief from its log. Any other file in that directory is a person's. */
export function isPublished(key: string, fields: ReadonlyMap<string, unknown>): boolean {
  const isThere = key.startsWith(`${beliefsHome}/`)
  return isThere && ['belief', 'owner'].every((name) => textField(fields, name) !== undefined)
}

/** The trimmed text of a field; `undefined` if it is absent, empty or not a text. */
export function textField(fields: ReadonlyMap<string, unknown>, name: string): string | undefined {
  const value = fields.get(name)
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

export function numberField(fields: ReadonlyMap<string, unknown>, name: string): number | undefined {
  const value = Number(textField(fields, name))
  return Number.isFinite(value) ? value : undefined
}

/** The items of a field that is a list, or a text with commas or spaces between them. */
export function listField(fields: ReadonlyMap<string, unknown>, name: string): readonly string[] {
  const value = fields.get(name)
  if (Array.isArray(value)) return value.filter((item) => item !== null && item !== undefined).map(String)
  return typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : []
}

function timeField(fields: ReadonlyMap<string, unknown>, name: string): number | undefined {
  return timeIn(textField(fields, name) ?? '')
}

/** A date is read as the beginning of that day in UTC, so that every machine gets the same time. */
function timeIn(text: string): number | undefined {
  const [found] = /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/.exec(text) ?? []
  if (found === undefined) return undefined
  const hasZone = found.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/.test(found.slice(10))
  const time = Date.parse(hasZone ? found.replace(' ', 'T') : `${found.replace(' ', 'T')}Z`)
  return Number.isNaN(time) ? undefined : time
}

function authorIn(fields: ReadonlyMap<string, unknown>): Author | undefined {
  const author = fields.get('written_by')
  return author === 'person' || author === 'agent' ? author : undefined
}

function headingOf(body: string): string | undefined {
  const [, heading] = /^\s*#{1,2}[ \t]+(\S.*?)[ \t#]*\r?(?:\n|$)/.exec(body) ?? []
  return heading
}
