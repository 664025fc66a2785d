/** What an import prints for people. Names and titles come from the source, so each stays on its line. */
import { marked, oneLine } from '@agentm/memory/shown'
import type { ImportReport, SkippedEntries } from '../import-count.ts'

export interface Imported {
  readonly what: string
  readonly path: string
  readonly isWritten: boolean
}

export function importText(report: ImportReport, { what, path, isWritten }: Imported): string {
  const { new: added, changed, unchanged, titles, redacted } = report
  const shown = titles.map((title) => `  ${marked(title, 80)}`)
  const more = added + changed - titles.length
  const lines = [
    `${oneLine(path)}: ${what}`,
    `${isWritten ? 'new' : 'would be new'}: ${added}, changed: ${changed}, unchanged: ${unchanged}, skipped: ${countOf(report.skipped)}`,
    ...shown,
    ...(more > 0 && shown.length > 0 ? [`  and ${more} more`] : []),
    ...(report.known === 0 ? [] : [`another note has the same text: ${report.known}`]),
    ...report.skipped.map(skippedText),
    ...(redacted.notes === 0 ? [] : [`secrets replaced in ${redacted.notes} notes: ${redacted.kinds.join(', ')}`]),
  ]
  if (isWritten) return lines.join('\n')
  const next =
    added + changed === 0
      ? 'There is nothing to import.'
      : 'Nothing was written. To import: the same command with --write'
  return [...lines, next].join('\n')
}

function countOf(skipped: readonly SkippedEntries[]): number {
  return skipped.reduce((sum, { count }) => sum + count, 0)
}

function skippedText({ why, count, examples }: SkippedEntries): string {
  const rest = count > examples.length ? ', …' : ''
  return `skipped ${count}: ${oneLine(why)} (${examples.map((each) => oneLine(each, 120)).join(', ')}${rest})`
}
