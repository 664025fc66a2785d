/**
 * LoCoMo: long conversations of two people, and questions with the lines that answer them. Each session of a conversation becomes a
 * note, and the sessions of those lines are the right notes.
 */
import { z } from 'zod'
import type { LabelledNote, LabelledQuestion, LabelledSet } from '../labelled-set.ts'

const turnSchema = z.looseObject({
  speaker: z.string(),
  text: z.string().default(''),
  blip_caption: z.string().optional(),
})
const questionSchema = z.looseObject({
  question: z.string(),
  evidence: z.array(z.string()).default([]),
  category: z.number().optional(),
})
export const locomoSchema = z.array(
  z.looseObject({
    sample_id: z.string(),
    conversation: z.record(z.string(), z.unknown()),
    qa: z.array(questionSchema),
  }),
)

type Sample = z.infer<typeof locomoSchema>[number]

const kinds: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'adversarial',
}

export function readLocomo(samples: readonly Sample[]): Omit<LabelledSet, 'name'> {
  const conversations = samples.map((sample) => ({ sample, notes: notesOf(sample) }))
  return {
    corpus: conversations.flatMap(({ notes }) => notes),
    queries: conversations.flatMap(({ sample, notes }) => questionsOf(sample, new Set(notes.map(({ id }) => id)))),
  }
}

function notesOf({ sample_id: sample, conversation }: Sample): readonly LabelledNote[] {
  return Object.entries(conversation).flatMap(([name, turns]) => {
    const [, number] = /^session_(\d+)$/.exec(name) ?? []
    const parsed = z.array(turnSchema).safeParse(turns)
    if (number === undefined || !parsed.success || parsed.data.length === 0) return []
    const when = conversation[`${name}_date_time`]
    const date = typeof when === 'string' ? when : ''
    const at = momentOf(date)
    const lines = parsed.data.map(({ speaker, text, blip_caption: picture }) => {
      const shown = picture === undefined ? '' : ` (picture: ${picture})`
      return `- **${speaker}:** ${text}${shown}`
    })
    return [
      {
        id: idOf(sample, Number(number)),
        title: `Conversation ${sample}, session ${number}`,
        text: [`# Chat session at ${date}`, '', ...lines].join('\n'),
        ...(at === undefined ? {} : { at }),
      },
    ]
  })
}

function questionsOf({ sample_id: sample, qa }: Sample, among: ReadonlySet<string>): readonly LabelledQuestion[] {
  return qa.flatMap(({ question, evidence, category = 0 }, i) => {
    // A line is named as in "D4:12": the twelfth of the fourth session. Some entries name several, or have a typing error.
    const sessions = evidence.flatMap((named) =>
      Array.from(named.matchAll(/D:?(\d+):/g), ([, number]) => Number(number)),
    )
    const gold = [...new Set(sessions.map((number) => idOf(sample, number)))].filter((id) => among.has(id))
    if (gold.length === 0) return []
    return [{ id: `${sample} question ${i + 1}`, text: question, gold, kind: kinds[category] ?? 'question', among }]
  })
}

function idOf(sample: string, session: number): string {
  return `${sample} session ${session}`
}

/** Reads "1:56 pm on 8 May, 2023". It is taken as UTC, as the dates of notes are. */
function momentOf(written: string): string | undefined {
  const [, hour, minute, half, date] = /(\d{1,2}):(\d{2}) ([ap]m) on (.+)/.exec(written) ?? []
  const day = Date.parse(`${date} UTC`)
  if (date === undefined || Number.isNaN(day)) return undefined
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
  return new Date(day + (hours * 60 + Number(minute)) * 60_000).toISOString()
}
