/** A file of rules for agents, such as CLAUDE.md: one note per section, so that recall finds the rule that fits. */
import { type Frontmatter, slugFor } from '@agentm/memory/notes'
import type { Read } from '../import-entry.ts'
import { stemOf, textOf } from './markdown-entry.ts'

export interface RuleFile {
  /** Names the file. */
  readonly source: string
  /** Seen from the folder, with `/`. */
  readonly path: string
  readonly frontmatter: Frontmatter
  readonly changedAt: number
}

export function ruleEntries(file: RuleFile): readonly Read[] {
  const { path, source, changedAt } = file
  const tag = slugFor(path.slice(path.lastIndexOf('/') + 1))
  const shared = { kind: 'rule', tags: [tag], writtenBy: 'person', at: changedAt } as const
  const parts = isCursorRule(path) ? [cursorRule(file)] : sectionsIn(file.frontmatter.body)
  const seen = new Map<string, number>()
  const entries = parts.map(({ heading, text }): Read => {
    const name = heading === undefined || isCursorRule(path) ? '' : slugFor(heading)
    const nth = (seen.get(name) ?? 0) + 1
    seen.set(name, nth)
    const id = `${source}${name === '' ? '' : `#${name}`}${nth === 1 ? '' : `-${nth}`}`
    return { id, title: heading ?? path, text, ...shared }
  })
  return entries.length > 0 ? entries : [{ place: path, why: 'the file has no text' }]
}

function isCursorRule(path: string): boolean {
  return /\.mdc$/i.test(path)
}

interface Section {
  readonly heading: string | undefined
  readonly text: string
}

/** A rule of Cursor is one thought; its fields say where it applies. */
function cursorRule({ path, frontmatter: { fields, body } }: RuleFile): Section {
  const globs = fields.get('globs')
  const where = Array.isArray(globs) ? globs.map(String).join(', ') : textOf(globs)
  const text = [where === undefined ? [] : [`Applies to: ${where}`], body.trim()].flat().join('\n\n')
  return { heading: textOf(fields.get('description')) ?? stemOf(path), text }
}

const longestHeading = 500

/** Splits at headings of the first and second level, outside of code. A heading without a text of its own is no section. */
function sectionsIn(body: string): readonly Section[] {
  const sections: { heading: string | undefined; lines: string[] }[] = [{ heading: undefined, lines: [] }]
  let fence: string | undefined
  for (const line of body.split(/\r?\n/)) {
    const [, mark] = /^ {0,3}(```+|~~~+)/.exec(line) ?? []
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined
    const [, heading] =
      fence === undefined && line.length <= longestHeading ? (/^#{1,2}[ \t]+(\S.*?)[ \t#]*$/.exec(line) ?? []) : []
    if (heading === undefined) sections.at(-1)?.lines.push(line)
    else sections.push({ heading, lines: [line] })
  }
  return sections.flatMap(({ heading, lines }) => {
    const own = heading === undefined ? lines : lines.slice(1)
    return own.join('').trim() === '' ? [] : [{ heading, text: lines.join('\n').trim() }]
  })
}
