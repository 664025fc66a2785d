/**
 * The layout of this repository: `corpus.jsonl` with { id, title, text, at? } and `queries.jsonl` with { id, text, gold, kind?, group? }.
 * Notes and questions with a `group` belong to one conversation or project; a question can be asked of its group alone.
 */
import { z } from 'zod'
import type { LabelledSet } from '../labelled-set.ts'
import { type DataFile, parsedLines } from './parsed-data.ts'

const noteSchema = z.looseObject({
  id: z.string(),
  title: z.string().default(''),
  text: z.string(),
  at: z.string().optional(),
  group: z.string().optional(),
})
const questionSchema = z.looseObject({
  id: z.string(),
  text: z.string(),
  gold: z.array(z.string()),
  kind: z.string().default('question'),
  at: z.string().optional(),
  group: z.string().optional(),
})

export function readOwnLayout({
  corpus,
  queries,
}: {
  readonly corpus: DataFile
  readonly queries: DataFile
}): Omit<LabelledSet, 'name'> {
  const notes = parsedLines(corpus, noteSchema)
  const groups = new Map<string, Set<string>>()
  for (const { id, group } of notes)
    if (group !== undefined) groups.set(group, (groups.get(group) ?? new Set()).add(id))
  return {
    corpus: notes.map(({ id, title, text, at }) => ({ id, title, text, ...(at === undefined ? {} : { at }) })),
    queries: parsedLines(queries, questionSchema).map(({ id, text, gold, kind, at, group = '' }) => {
      const among = groups.get(group)
      return { id, text, gold, kind, ...(at === undefined ? {} : { at }), ...(among === undefined ? {} : { among }) }
    }),
  }
}
