export { parseNote, type Note } from './pure/note.ts'
