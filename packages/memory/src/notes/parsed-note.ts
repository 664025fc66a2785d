/**
 * A note parsed from its text. The YAML parser is loaded only when it is needed, because loading it takes longer than answering a
 * question.
 */
import { type Note, plainNote } from './pure/note.ts'

export async function parsedNote(text: string, key: string, foreign?: ReadonlySet<string>): Promise<Note> {
  return plainNote(text, key, foreign) ?? (await import('./pure/parse-note.ts')).parseNote(text, key, foreign)
}
