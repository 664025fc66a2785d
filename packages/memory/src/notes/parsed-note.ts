/** A note as its text says it. The YAML parser, which takes longer to load than a question to answer, comes only when it is needed. */
import { type Note, plainNote } from './pure/note.ts'

export async function parsedNote(text: string, key: string, foreign?: ReadonlySet<string>): Promise<Note> {
  return plainNote(text, key, foreign) ?? (await import('./pure/parse-note.ts')).parseNote(text, key, foreign)
}
