import { parsedNote } from '../notes/parsed-note.ts'
import { type AnalyzedFile, analyzedNote, type IndexedAs, type LoadedNote } from './pure/indexed-note.ts'

/** What the index keeps of the file of a note. */
export async function analyzedFile(
  loaded: LoadedNote,
  { storeId, seenAt = 0, foreign }: IndexedAs,
): Promise<AnalyzedFile> {
  return analyzedNote(await parsedNote(loaded.text, loaded.key, foreign), loaded, { storeId, seenAt })
}
