import { readFrontmatter } from './frontmatter.ts'
import { type Note, noteOf } from './note.ts'

/** `foreign` are directories in homes of projects that are no projects of ours. */
export function parseNote(text: string, key: string, foreign?: ReadonlySet<string>): Note {
  return noteOf(readFrontmatter(text), key, foreign)
}
