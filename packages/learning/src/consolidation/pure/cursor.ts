/** How far one owner's episodes are read, and which must be read again. */
import type { Head } from '@agentm/nodes'
import type { Episode } from '../../episodes/pure/episode.ts'
import { type DayTokens, dayTokensIn } from '../../lessons/pure/day-tokens.ts'
import { type Spent, spentIn } from '../../distillers/pure/spent.ts'

export interface Cursor {
  /** 0 if there is no cursor yet. */
  readonly version: number
  readonly afterSequence: number
  readonly readTo: number
  readonly held: readonly string[]
  /** Epoch milliseconds. */
  readonly watermark: number
  readonly episodesSeen: number
  readonly session: string | undefined
  readonly scheduledFor: number | undefined
  readonly lastRunAt: string | undefined
  /** How far the turns of agent sessions were learned from. */
  readonly turnsReadTo: number
  readonly sessionTokens: DayTokens
  /** The cost of all runs so far. */
  readonly spent: Spent
}

export function cursorOf(head: Head | undefined): Cursor {
  const payload = head?.payload ?? {}
  const number = (name: string) => (typeof payload[name] === 'number' ? payload[name] : undefined)
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : undefined)
  const afterSequence = number('afterSequence') ?? 0
  const held = payload['held']
  return {
    version: head?.version ?? 0,
    afterSequence,
    readTo: number('readTo') ?? afterSequence,
    held: Array.isArray(held) ? held.filter((id): id is string => typeof id === 'string') : [],
    watermark: Date.parse(text('watermark') ?? '') || 0,
    episodesSeen: number('episodesSeen') ?? 0,
    session: text('session'),
    scheduledFor: number('scheduledFor'),
    lastRunAt: text('lastRunAt'),
    turnsReadTo: number('turnsReadTo') ?? 0,
    sessionTokens: dayTokensIn(payload['sessionTokens']),
    spent: spentIn(payload['spent']),
  }
}

export interface BatchOutcome {
  /** Waiting episodes that are not in this list keep waiting. */
  readonly episodes: readonly Episode[]
  /** How far the log was read for this batch. */
  readonly readTo: number
  /** Ids of episodes whose cluster failed. */
  readonly failed: ReadonlySet<string>
}

/** The cursor stays before the first failure. Later episodes that succeeded are not read again. */
export function advanced(cursor: Cursor, { episodes, readTo, failed }: BatchOutcome): Cursor {
  const held = episodes.filter(({ id }) => failed.has(id))
  const asked = new Set(episodes.map(({ id }) => id))
  const waiting = cursor.held.filter((id) => !asked.has(id))
  const beforeHeld = held.length === 0 ? readTo : Math.min(...held.map(({ seq }) => seq)) - 1
  const afterSequence = waiting.length === 0 ? beforeHeld : Math.min(beforeHeld, cursor.afterSequence)
  const passed = episodes.filter(({ seq }) => seq <= afterSequence).map(({ createdAt }) => createdAt)
  return {
    ...cursor,
    afterSequence: Math.max(cursor.afterSequence, afterSequence),
    readTo,
    held: [...waiting, ...held.map(({ id }) => id)],
    watermark: Math.max(cursor.watermark, ...passed),
    episodesSeen: cursor.episodesSeen + episodes.length - held.length,
  }
}

/** The cursor in the form that the log stores. */
export function progressOf({ afterSequence, readTo, held, watermark, episodesSeen }: Cursor) {
  return { afterSequence, readTo, held, watermark: new Date(watermark).toISOString(), episodesSeen }
}
