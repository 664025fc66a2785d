/** Marks the text of a note as forgotten, and undoes that. */
import { editFrontmatter, type FieldValue } from './frontmatter.ts'
import { type Note, textField } from './note.ts'
import { placeOf } from './note-place.ts'
import { isOwnEntry } from './own-entry.ts'
import { blockOf } from './plain-frontmatter.ts'
import type { Author } from './shown.ts'

export interface Forgetting {
  readonly when: string
  readonly by: Author | undefined
  readonly reason: string | undefined
}

export function forgottenText(text: string, note: Note, { when, by, reason }: Forgetting): string {
  const before = textField(note.fields, 'status')
  return editFrontmatter(text, {
    status: 'deleted',
    deleted_at: when,
    ...(before === undefined || before === 'active' ? {} : { deleted_from: before }),
    ...(by === undefined ? {} : { deleted_by: by }),
    ...(reason === undefined ? {} : { delete_reason: reason }),
  })
}

const marks = ['deleted_at', 'deleted_from', 'deleted_by', 'delete_reason']

/** Removes everything that forgetting added. A person's note that had no status gets none. */
export function restoredText(text: string, note: Note, key: string): string {
  const fields = new Map([...note.fields].filter(([name]) => !marks.includes(name)))
  const before = textField(note.fields, 'deleted_from') ?? (isOwnEntry(fields, placeOf(key)) ? 'active' : undefined)
  const changes: Record<string, FieldValue | undefined> = { status: before }
  for (const mark of marks) changes[mark] = undefined
  const restored = editFrontmatter(text, changes)
  const block = blockOf(restored)
  if (block === undefined || block.yaml.trim() !== '') return restored
  return `${restored.startsWith('\uFEFF') ? '\uFEFF' : ''}${block.body}`
}
