import type { SessionList } from '../contract/sessions.ts'
import { sessionRow } from './pure/session-rows.ts'
import type { Sessions } from './shelves.ts'

const pageSize = 100

/** Captured sessions of the owner, newest first; those before a time, and those with certain words, if asked for. */
export async function listSessions(
  sessions: Sessions | undefined,
  { before, words }: { readonly before: number | undefined; readonly words: string },
): Promise<SessionList> {
  const found = (await sessions?.list({ limit: pageSize, words, ...(before !== undefined && { to: before }) })) ?? []
  const last = found.length < pageSize ? undefined : found.at(-1)
  return {
    sessions: found.map(sessionRow),
    ...(last !== undefined && { before: last.endedAt + 1 }),
    now: Date.now(),
  }
}
