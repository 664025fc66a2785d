/** Which sessions of the list are shown, and under which day. */
import type { SessionRow } from '../../../src/contract/sessions.ts'

export const spans = { today: 1, week: 7, month: 30 } as const
export type Span = keyof typeof spans

export interface WantedSessions {
  readonly host: string
  readonly project: string
  readonly span: Span | undefined
  /** The beginning of today where the reader is. */
  readonly today: number
}

const dayMs = 86_400_000

export function filterSessions(sessions: readonly SessionRow[], wanted: WantedSessions): readonly SessionRow[] {
  const { host, project, span, today } = wanted
  const since = span === undefined ? -Infinity : today - (spans[span] - 1) * dayMs
  return sessions.filter(
    (session) =>
      (host === '' || session.host === host) &&
      (project === '' || session.project === project) &&
      session.endedAt >= since,
  )
}

export function isSpan(word: string | null): word is Span {
  return word !== null && Object.hasOwn(spans, word)
}

export interface DayOfSessions {
  /** The beginning of the day. */
  readonly day: number
  readonly sessions: readonly SessionRow[]
}

/** In the order of the list. `dayOf` gives the beginning of the day of a time. */
export function byDay(sessions: readonly SessionRow[], dayOf: (at: number) => number): readonly DayOfSessions[] {
  const days = new Map<number, SessionRow[]>()
  for (const session of sessions) {
    const day = dayOf(session.endedAt)
    const list = days.get(day)
    if (list === undefined) days.set(day, [session])
    else list.push(session)
  }
  return [...days].map(([day, list]) => ({ day, sessions: list }))
}
