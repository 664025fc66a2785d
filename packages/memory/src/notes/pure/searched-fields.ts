/**
 * What a note is found by beside its name, its tags and its text: its aliases, its file name, and the days that its fields give. A date
 * stays in one form; the tokenizer makes the terms by which a question finds it.
 */
import { aliasesOf } from './aliases-of.ts'
import { type Note, textField } from './note.ts'

export function searchedFields(note: Note): string {
  // Of a forgotten note, only the name is kept.
  if (note.status === 'deleted') return ''
  return [...aliasesOf(note), ...otherWords(note), ...daysOf(note)].join(' ')
}

/** The words of the file name that the name does not say. */
function otherWords({ slug, name }: Note): readonly string[] {
  const said = name.toLowerCase()
  // A date in the name is one of the days.
  const words = slug.replace(day, ' ').split(/[-_\s]+/)
  return words.filter((word) => word !== '' && !said.includes(word.toLowerCase()))
}

const day = /\d{4}-\d{2}-\d{2}/
const dateFields = ['date', 'created', 'day'] as const

function daysOf({ fields, createdAt }: Note): readonly string[] {
  const written = dateFields.flatMap((name) => textField(fields, name) ?? [])
  const days = written.map((text) => day.exec(text)?.[0] ?? text)
  const known = createdAt === 0 ? [] : [new Date(createdAt).toISOString().slice(0, 10)]
  return [...new Set(days.length === 0 ? known : days)]
}
