import { listField, type Note, textField } from './note.ts'

const names = ['aliases', 'alias'] as const

/** The other names of a note, as its fields list them. A text without a list has commas between the names, because names have spaces. */
export function aliasesOf({ fields }: Pick<Note, 'fields'>): readonly string[] {
  const listed = names.flatMap((name) => {
    const text = textField(fields, name)
    return text === undefined ? listField(fields, name) : text.split(',')
  })
  return listed.map((alias) => alias.trim()).filter((alias) => alias !== '')
}
