import { redactSecrets } from '@agentm/nodes'
import type { LearnedList } from '../contract/sessions.ts'
import { short } from '../pure/short.ts'
import type { Learned } from './shelves.ts'

const statuses = ['waiting', 'accepted', 'replaced', 'rejected'] as const
const most = 200

/** What was learned from the turns of a session, what waits for a decision first. */
export async function learnedFrom(learned: Learned | undefined, id: string): Promise<LearnedList> {
  const all = await Promise.all(statuses.map(async (status) => (await learned?.list({ status })) ?? []))
  const rows = all.flat().flatMap((lesson) => {
    const turns = lesson.evidence.flatMap(({ seen }) => (seen?.session === id ? [seen.number] : []))
    if (turns.length === 0) return []
    const { kind, statement, status, confidence, note } = lesson
    return [
      {
        id: short(lesson.id),
        kind,
        statement: redactSecrets(statement),
        status,
        confidence,
        ...(note !== undefined && { note }),
        turns: [...new Set(turns)].toSorted((a, b) => a - b),
      },
    ]
  })
  return { learned: rows.slice(0, most) }
}
