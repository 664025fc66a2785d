/** The session that somebody looks at, kept while they read on in it: finding all turns of a session passes over the newest turns of all. */
import type { SessionPage } from '../contract/sessions.ts'
import { short } from '../pure/short.ts'
import { rowWithoutPerson, sessionRow, turnBars, turnRow } from './pure/session-rows.ts'
import type { KeptTurn, Sessions, SessionSummary } from './shelves.ts'

const pageSize = 100
const mostBars = 3_000
const kept = 2

interface Story {
  /** By time. */
  readonly turns: readonly KeptTurn[]
  readonly summary?: SessionSummary
}

export class SessionStories {
  readonly #stories = new Map<string, Story>()

  /** From the turn at this place on. The first part is always read anew. */
  async page(sessions: Sessions, id: string, from = 0): Promise<SessionPage> {
    const { turns, summary } = (from > 0 ? this.#stories.get(id) : undefined) ?? (await this.#read(sessions, id))
    return {
      session: summary === undefined ? rowWithoutPerson(turns) : sessionRow(summary),
      turns: turns.slice(from, from + pageSize).map(turnRow),
      from,
      total: turns.length,
      bars: from > 0 ? [] : turnBars(turns.slice(0, mostBars)),
      files: new Set(turns.flatMap(({ turn }) => turn.files?.map(({ file }) => file) ?? [])).size,
      commands: turns.reduce((sum, { turn }) => sum + (turn.commands?.length ?? 0), 0),
      failed: turns.reduce((sum, { turn }) => sum + (turn.commands?.filter(({ failed }) => failed).length ?? 0), 0),
      now: Date.now(),
    }
  }

  /** `undefined` if the session has no such turn. */
  async turn(sessions: Sessions, id: string, turnId: string): Promise<KeptTurn | undefined> {
    const { turns } = this.#stories.get(id) ?? (await this.#read(sessions, id))
    return turns.find((turn) => short(turn.id) === turnId)
  }

  async #read(sessions: Sessions, id: string): Promise<Story> {
    const { turns, summary } = await sessions.show(id)
    const byTime = turns.toSorted((a, b) => a.at - b.at || a.turn.turn - b.turn.turn)
    const story = { turns: byTime, ...(summary !== undefined && { summary }) }
    this.#stories.delete(id)
    this.#stories.set(id, story)
    for (const oldest of this.#stories.keys()) {
      if (this.#stories.size <= kept) break
      this.#stories.delete(oldest)
    }
    return story
  }
}
