/** Notes as files: their text and fields, their names, and the directories of a store that they are kept in. */
export { checkCaptureRequest } from './notes/capture-note.ts'
export { checkStoreMarker } from './notes/check-store-marker.ts'
export type { ConflictCopyOf } from './memory-context.ts'
export { formatNote, type NewNote, noteText } from './notes/pure/format-note.ts'
export { isNoteField } from './notes/pure/lint-note.ts'
export { editFrontmatter, type FieldValue, type Frontmatter, readFrontmatter } from './notes/pure/frontmatter.ts'
export { type Note, textField } from './notes/pure/note.ts'
export { isNoteId, noteId } from './notes/pure/note-id.ts'
export { beliefsHome, exclusionOf } from './notes/pure/note-place.ts'
export { parseNote } from './notes/pure/parse-note.ts'
export { isSlug, slugFor } from './notes/pure/slug.ts'
export {
  type ForeignNote,
  type ImportOptions,
  type ImportResult,
  type NoteImport,
  previewImport,
} from './notes/note-import.ts'
export { statementIn } from './notes/pure/statement-in.ts'
export { checkRequest as checkSaveRequest } from './notes/save-note.ts'
