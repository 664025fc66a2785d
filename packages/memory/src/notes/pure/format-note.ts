/** The text of a new note. */
import { type FieldValue, fieldLine } from './frontmatter.ts'

/** A note to write as text. */
export interface NewNote {
  readonly kind: string
  readonly status?: string
  readonly created: string
  readonly tags: readonly string[]
  readonly group: string
  readonly slug: string
  readonly alwaysLoad?: boolean
  readonly supersedes?: string
  /** Fields that only agentm uses. They come after the fields that every tool knows. */
  readonly more?: Readonly<Record<string, FieldValue | undefined>>
  readonly text: string
}

/** The order of the fields is fixed: the linters of older tools check it. */
export function formatNote(note: NewNote): string {
  const { kind, status = 'active', created, tags, group, slug, alwaysLoad = false, supersedes, more = {}, text } = note
  const fields: Record<string, FieldValue | undefined> = {
    kind,
    status,
    created,
    updated: created,
    tags,
    group,
    slug,
    always_load: alwaysLoad,
    supersedes,
    ...more,
  }
  return noteText(fields, text)
}

/** A note as text: fields, then its body. */
export function noteText(fields: Readonly<Record<string, FieldValue | undefined>>, text: string): string {
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [fieldLine(name, value)]))
  return ['---', ...lines, '---', '', text.replace(/[\r\n]+$/, ''), ''].join('\n')
}
