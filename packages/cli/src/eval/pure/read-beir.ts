/**
 * The BEIR layout: `corpus.jsonl` with { _id, title, text }, `queries.jsonl` with { _id, text }, and `qrels/test.tsv` with a question, a
 * note and a grade per line. Questions without a right note are left out, because BEIR keeps those of its other splits beside them.
 */
import { z } from 'zod'
import { UsageError } from '../../command.ts'
import type { LabelledSet } from '../labelled-set.ts'
import { type DataFile, parsedLines } from './parsed-data.ts'

const noteSchema = z.looseObject({ _id: z.string(), title: z.string().default(''), text: z.string() })
const questionSchema = z.looseObject({ _id: z.string(), text: z.string() })

interface BeirFiles {
  readonly corpus: DataFile
  readonly queries: DataFile
  readonly qrels: DataFile
}

export function readBeir({ corpus, queries, qrels }: BeirFiles): Omit<LabelledSet, 'name'> {
  const grades = gradesIn(qrels)
  return {
    corpus: parsedLines(corpus, noteSchema).map(({ _id: id, title, text }) => ({ id, title, text })),
    queries: parsedLines(queries, questionSchema).flatMap(({ _id: id, text }) => {
      const graded = grades.get(id)
      if (graded === undefined) return []
      return [{ id, text, gold: [...graded.keys()], grades: Object.fromEntries(graded), kind: 'question' }]
    }),
  }
}

/** By question, the grade of each right note. */
function gradesIn({ name, text }: DataFile): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const grades = new Map<string, Map<string, number>>()
  for (const [i, line] of text.split('\n').entries()) {
    const [question = '', note, written] = line.trim().split('\t')
    // The first line names the columns.
    if (question === '' || (i === 0 && Number.isNaN(Number(written)))) continue
    const grade = Number(written)
    if (note === undefined || Number.isNaN(grade))
      throw new UsageError(`${name}, line ${i + 1} is not a question, a note and a grade, separated by tabs.`)
    if (grade > 0) grades.set(question, (grades.get(question) ?? new Map()).set(note, grade))
  }
  return grades
}
