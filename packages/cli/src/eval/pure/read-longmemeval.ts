/**
 * LongMemEval: each question is asked of chat sessions of its own, its haystack. Each session becomes a note. Questions without an
 * answer in their haystack are left out, because no ranking of them can be right.
 */
import { z } from 'zod'
import type { LabelledNote, LabelledQuestion, LabelledSet } from '../labelled-set.ts'

export const longMemEvalSchema = z.array(
  z.looseObject({
    question_id: z.string(),
    question_type: z.string().default('question'),
    question: z.string(),
    question_date: z.string().optional(),
    haystack_session_ids: z.array(z.string()),
    haystack_dates: z.array(z.string()).default([]),
    haystack_sessions: z.array(z.array(z.looseObject({ role: z.string(), content: z.string() }))),
    answer_session_ids: z.array(z.string()).default([]),
  }),
)

type Asked = z.infer<typeof longMemEvalSchema>[number]

export function readLongMemEval(all: readonly Asked[]): Omit<LabelledSet, 'name'> {
  // Many haystacks share their sessions.
  const notes = new Map<string, LabelledNote>()
  const queries = all.flatMap((asked) => {
    const haystack = asked.haystack_session_ids.map((session, i) => ({ session, note: noteOf(asked, session, i) }))
    for (const { note } of haystack) notes.set(note.id, note)
    return questionOf(asked, haystack)
  })
  return { corpus: [...notes.values()], queries }
}

function noteOf(
  { haystack_dates: dates, haystack_sessions: sessions }: Asked,
  session: string,
  i: number,
): LabelledNote {
  const date = dates[i] ?? ''
  const at = momentOf(date)
  const lines = (sessions[i] ?? []).map(({ role, content }) => `**${role}:** ${content}`)
  return {
    // The same session can have another date in another haystack.
    id: date === '' ? session : `${session} ${date}`,
    title: `Session ${session}`,
    text: [`# Chat session at ${date}`, ...lines].join('\n\n'),
    ...(at === undefined ? {} : { at }),
  }
}

function questionOf(
  {
    question_id: id,
    question: text,
    question_type: kind,
    question_date: date = '',
    answer_session_ids: answers,
  }: Asked,
  haystack: readonly { readonly session: string; readonly note: LabelledNote }[],
): readonly LabelledQuestion[] {
  const gold = haystack.flatMap(({ session, note }) => (answers.includes(session) ? [note.id] : []))
  if (gold.length === 0 || id.endsWith('_abs')) return []
  const at = momentOf(date)
  const among = new Set(haystack.map(({ note }) => note.id))
  return [{ id, text, gold, kind, among, ...(at === undefined ? {} : { at }) }]
}

/** Reads "2023/05/20 (Sat) 02:21". It is taken as UTC, as the dates of notes are. */
function momentOf(written: string): string | undefined {
  const [, year, month, day, time = '00:00'] =
    /^(\d{4})\/(\d{2})\/(\d{2})(?: \(\w+\))?(?: (\d{2}:\d{2}))?/.exec(written) ?? []
  const at = Date.parse(`${year}-${month}-${day}T${time}:00Z`)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
