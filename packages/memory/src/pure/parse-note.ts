import { readFrontmatter } from './frontmatter.ts'
import { type Note, noteOf } from './note.ts'

export function parseNote(text: string, key: string): Note {
  return noteOf(readFrontmatter(text), key)
}
