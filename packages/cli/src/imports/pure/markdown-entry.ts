/** A Markdown file of a person or of basic-memory: one note, whose links lead to the notes of the other files. */
import { type FieldValue, type Frontmatter, isNoteField, slugFor } from '@agentm/memory/notes'
import type { Read } from '../import-entry.ts'
import { relinked } from './relinked.ts'

export interface MarkdownFile {
  /** Seen from the folder, with `/`. */
  readonly path: string
  readonly frontmatter: Frontmatter
  /** When the file was changed last, in epoch milliseconds. */
  readonly changedAt: number
}

export interface MarkdownFolder {
  /** Names the folder. */
  readonly source: string
  /** The file name of the note for each name that a link may use, in lower case. */
  readonly slugs: ReadonlyMap<string, string>
  readonly isBasicMemory: boolean
}

export function markdownEntry({ path, frontmatter, changedAt }: MarkdownFile, folder: MarkdownFolder): Read {
  const { fields, body } = frontmatter
  if (body.trim() === '') return { place: path, why: 'the file has no text' }
  const stem = stemOf(path)
  const type = folder.isBasicMemory ? textOf(fields.get('type')) : undefined
  return {
    id: `${folder.source}/${path}`,
    kind: type ?? 'note',
    title: textOf(fields.get('title')) ?? stem,
    text: relinked(body, folder.slugs).trim(),
    tags: [...tagsIn(fields.get('tags')), ...(folder.isBasicMemory ? observationTags(body) : [])],
    at: timeOf(fields) ?? changedAt,
    slug: folder.slugs.get(path.toLowerCase()) ?? slugFor(stem),
    fields: otherFields(fields, folder),
    // An agent may have written the files of basic-memory, and a person may have edited them.
    ...(folder.isBasicMemory ? {} : { writtenBy: 'person' }),
  }
}

export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|mdc|markdown)$/i, '')
}

/** The text of a field; `undefined` if it is absent, empty or of another type. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function tagsIn(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/) : []
  return list.map((tag) => String(tag).replace(/^#/, '')).filter((tag) => tag.trim() !== '')
}

/** The tags of observations: `- [category] text #tag (context)`. */
function observationTags(body: string): readonly string[] {
  const lines = body.split('\n').filter((line) => /^\s*- \[[^\]\n]{2,}\]/.test(line))
  return lines.flatMap((line) => Array.from(line.matchAll(/(?<=\s)#([\p{L}\p{N}_/-]+)/gu), ([, tag = '']) => tag))
}

function timeOf(fields: ReadonlyMap<string, unknown>): number | undefined {
  for (const name of ['updated', 'modified', 'date', 'created']) {
    const time = Date.parse(textOf(fields.get(name)) ?? '')
    if (!Number.isNaN(time)) return time
  }
  return undefined
}

/** Fields of the person, such as aliases, that agentm gives no meaning of its own. */
function otherFields(
  fields: ReadonlyMap<string, unknown>,
  { isBasicMemory }: Pick<MarkdownFolder, 'isBasicMemory'>,
): Readonly<Record<string, FieldValue>> {
  const kept = [...fields].flatMap(([name, value]): [string, FieldValue][] => {
    // The type became the kind.
    if (isNoteField(name) || (isBasicMemory && name === 'type')) return []
    if (typeof value === 'string' || typeof value === 'boolean') return value === '' ? [] : [[name, value]]
    const items = Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
    return items.length === 0 ? [] : [[name, items]]
  })
  return Object.fromEntries(kept)
}
