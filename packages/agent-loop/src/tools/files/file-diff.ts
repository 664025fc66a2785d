import { createTwoFilesPatch } from 'diff'
import { cutText } from '../../loop/pure/cut-text.ts'

/** More changed lines than this take too long to compare. */
const mostChanges = 3000
const longestDiff = 20_000

/** What changed in a file, as a unified diff. */
export function fileDiff(path: string, before: string, after: string): string {
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, { maxEditLength: mostChanges })
  if (patch === undefined) return `more than ${mostChanges} lines changed`
  return cutText(patch.replace(/^Index: .*\n=+\n/, '').trimEnd(), longestDiff)
}
