import { readFrontmatter } from './frontmatter.ts'
import { type Note, noteOf } from './note.ts'

/** `foreign` lists directories among the projects that are no agentm projects. */
export function parseNote(text: string, key: string, foreign?: ReadonlySet<string>): Note {
  return noteOf(readFrontmatter(text), key, foreign)
}
