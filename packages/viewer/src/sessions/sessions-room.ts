import { NothingHereError, type Room } from '../room.ts'
import type { ViewSource } from '../view-source.ts'
import { learnedFrom } from './learned-from.ts'
import { listSessions } from './list-sessions.ts'
import { SessionStories } from './session-stories.ts'
import type { Sessions } from './shelves.ts'
import { turnEntries } from './turn-entries.ts'

const longestSearch = 500

export function sessionsRoom(source: ViewSource): Room {
  const stories = new SessionStories()
  return {
    name: 'sessions',
    reads: {
      '/api/sessions': async ({ query }) => {
        const before = numberOf(query.get('before'))
        const words = (query.get('q') ?? '').slice(0, longestSearch)
        return listSessions(await sessionsIn(source), { before, words })
      },
      '/api/sessions/:id': async ({ id, query }) =>
        stories.page(await needed(source), id, numberOf(query.get('from')) ?? 0),
      '/api/sessions/:id/learned': async ({ id }) => {
        const reader = await source.reader()
        return learnedFrom(await reader.learned(await reader.owner()), id)
      },
      '/api/sessions/:id/entries': async ({ id, query }) => {
        const turn = await stories.turn(await needed(source), id, query.get('turn') ?? '')
        if (turn === undefined) throw new NothingHereError('turns with this id')
        return turnEntries(await source.reader(), turn)
      },
    },
  }
}

async function sessionsIn(source: ViewSource): Promise<Sessions | undefined> {
  // Finds a log that was made since the page was opened.
  if ((await source.plans()) === undefined) return undefined
  const reader = await source.reader()
  return reader.sessions(await reader.owner())
}

async function needed(source: ViewSource): Promise<Sessions> {
  const sessions = await sessionsIn(source)
  if (sessions === undefined) throw new NothingHereError('sessions')
  return sessions
}

function numberOf(text: string | null): number | undefined {
  const value = Number(text ?? Number.NaN)
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
