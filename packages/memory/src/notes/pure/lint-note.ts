/** Problems in a note that a careful reader would point out. Nothing is changed. */
import { type Note, textField } from './note.ts'
import { isSlug } from './slug.ts'

export type LintCheck =
  | 'unreadable'
  | 'frontmatter'
  | 'required-field'
  | 'kebab-case'
  | 'field-order'
  | 'slug-filename'
  | 'date-format'
  | 'placeholder-value'
  | 'schema-drift'
  | 'wikilink-resolution'
  | 'supersede-integrity'
  | 'conflict-copy'

export interface LintFinding {
  readonly check: LintCheck
  readonly severity: 'error' | 'warn'
  readonly key: string
  readonly message: string
  readonly suggestion: string
}

export interface LintReport {
  /** How many notes were checked. */
  readonly entries: number
  /** How many files without the fields of a note were skipped. */
  readonly skipped: number
  readonly findings: readonly LintFinding[]
}

export interface LintedNote {
  readonly key: string
  readonly stem: string
  readonly isArchived: boolean
  readonly note: Note
}

/** The keys of all notes of the store, and their file names without extension. */
export interface LintSurroundings {
  readonly statusOf: ReadonlyMap<string, string>
  readonly stems: ReadonlySet<string>
}

const locked = ['kind', 'status', 'created', 'updated', 'tags', 'group', 'slug', 'always_load', 'supersedes']
const known = new Set([
  ...locked,
  ...'heat_pin deleted_at deleted_from deleted_by delete_reason purged accepted_by superseded_by superseded_at superseded_reason title written_by confidence'.split(
    ' ',
  ),
  ...'confidence_reason reinforce_count last_reinforced mining_confidence mining_rationale mining_occurrences'.split(
    ' ',
  ),
  ...'belief version owner partition sources'.split(' '),
  ...'imported_from imported_id imported_time imported_hash'.split(' '),
])

/** Whether agentm gives a field of this name a meaning, so that no other program may set it. */
export function isNoteField(name: string): boolean {
  return known.has(name)
}
const freeSlugs = new Set(['_index', '_summary'])

export function lintNote(linted: LintedNote, around: LintSurroundings): readonly LintFinding[] {
  const mark = (
    check: LintCheck,
    severity: LintFinding['severity'],
    message: string,
    suggestion: string,
  ): LintFinding => ({
    check,
    severity,
    key: linted.key,
    message,
    suggestion,
  })
  const checks = [fieldsOf, slugsOf, datesOf, valuesOf, linksOf, supersedesOf]
  return checks.flatMap((check) => check(linted, mark, around))
}

type Mark = (check: LintCheck, severity: LintFinding['severity'], message: string, suggestion: string) => LintFinding
type Check = (linted: LintedNote, mark: Mark, around: LintSurroundings) => readonly LintFinding[]

const fieldsOf: Check = ({ note }, mark) => {
  const { fields, problem } = note
  const missing = ['kind', 'status', 'created', 'slug'].filter((name) => !fields.has(name))
  const order = [...fields.keys()].filter((name) => locked.includes(name))
  const unknown = [...fields.keys()].filter((name) => !known.has(name))
  return [
    ...(problem === undefined
      ? []
      : [mark('frontmatter', 'error', `YAML refuses the fields: ${problem}`, 'Quote values that hold ": " or " #".')]),
    ...missing.map((name) => mark('required-field', 'error', `${name} is missing`, `Add ${name}.`)),
    ...(order.join() === order.toSorted((a, b) => locked.indexOf(a) - locked.indexOf(b)).join()
      ? []
      : [mark('field-order', 'warn', `the fields stand as ${order.join(', ')}`, `Order them ${locked.join(', ')}.`)]),
    ...unknown.map((name) =>
      mark('schema-drift', 'warn', `${name} is a field no tool knows`, 'Rename or remove it, or leave it: it is kept.'),
    ),
  ]
}

const slugsOf: Check = ({ note, stem, isArchived }, mark) => {
  const slug = textField(note.fields, 'slug')
  if (slug === undefined || freeSlugs.has(slug)) return []
  const names: [string, string][] = [
    ['slug', slug],
    ['kind', note.kind],
    ...note.tags.map((tag): [string, string] => ['tag', tag]),
  ]
  return [
    ...names
      .filter(([, name]) => !isSlug(name))
      .map(([what, name]) =>
        mark(
          'kebab-case',
          'error',
          `the ${what} ${JSON.stringify(name)} is not kebab-case`,
          'Use lower-case letters, digits and hyphens.',
        ),
      ),
    ...(slug === stem || isArchived
      ? []
      : [mark('slug-filename', 'warn', `the slug is ${slug}, the file is ${stem}.md`, 'Give both one name.')]),
  ]
}

const datesOf: Check = ({ note }, mark) => {
  const [created, updated] = ['created', 'updated'].map((name) => textField(note.fields, name))
  const odd = [created, updated].filter((date) => date !== undefined && !isDate(date))
  if (odd.length > 0)
    return odd.map((date) => mark('date-format', 'error', `${JSON.stringify(date)} is no date`, 'Write YYYY-MM-DD.'))
  if (created === undefined || updated === undefined || updated >= created) return []
  return [
    mark(
      'date-format',
      'warn',
      `it was updated (${updated}) before it was created (${created})`,
      'Correct one of them.',
    ),
  ]
}

function isDate(text: string): boolean {
  const [day] = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/.exec(text) ?? []
  return day !== undefined && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
}

const valuesOf: Check = ({ note }, mark) =>
  [...note.fields].flatMap(([name, value]) =>
    typeof value === 'string' && value.includes(' | ')
      ? [mark('placeholder-value', 'warn', `${name} still lists its choices: ${value}`, 'Choose one.')]
      : [],
  )

const linksOf: Check = ({ note }, mark, { stems, statusOf }) => {
  const prose = note.body.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\[\[([^\]\n|#^]+)[^\]\n]*\]\]/g)].map(([, target = '']) => target.trim())
  const dangling = targets.filter((target) => {
    const name = target.replace(/\.md$/i, '')
    return !stems.has(name.split('/').at(-1) ?? '') && !statusOf.has(`${name}.md`)
  })
  return [...new Set(dangling)].map((target) =>
    mark(
      'wikilink-resolution',
      'error',
      `[[${target}]] leads nowhere`,
      'Correct the link, or write the note it names.',
    ),
  )
}

const supersedesOf: Check = ({ note }, mark, { statusOf }) => {
  const { supersedes } = note
  if (supersedes === undefined) return []
  const status = statusOf.get(supersedes)
  if (status === undefined)
    return [
      mark(
        'supersede-integrity',
        'error',
        `it supersedes ${supersedes}, which is not there`,
        'Correct or remove supersedes.',
      ),
    ]
  if (status !== 'active') return []
  return [
    mark(
      'supersede-integrity',
      'warn',
      `it supersedes ${supersedes}, which is still active`,
      'Set that one to superseded.',
    ),
  ]
}
