/** One session as the page holds it: its facts, and the turns that were read so far. */
import { signal } from '@preact/signals'
import type { LearnedRow, LearnedList, SessionPage, TurnRow } from '../../src/contract/sessions.ts'
import { ask } from '../api.ts'
import { setClock } from '../clock.ts'
import { tellPerson } from '../notices.ts'

const pageSize = 100

export interface HeldSession {
  /** The first part that was read, with the facts of the whole session. */
  readonly page: SessionPage
  /** The place of the first of these turns in the session. */
  readonly from: number
  readonly turns: readonly TurnRow[]
}

export class SessionStore {
  readonly held = signal<HeldSession | undefined>(undefined)
  readonly learned = signal<readonly LearnedRow[]>([])
  readonly error = signal<Error | undefined>(undefined)
  readonly id: string
  readonly #end = new AbortController()

  constructor(id: string, turn: string | undefined) {
    this.id = id
    void this.#begin(turn)
  }

  close(): void {
    this.#end.abort()
  }

  /** Turns before the first one, or after the last one that is shown. */
  async more(where: 'before' | 'after'): Promise<void> {
    const held = this.held.peek()
    if (held === undefined) return
    const from = where === 'before' ? Math.max(0, held.from - pageSize) : held.from + held.turns.length
    try {
      const { turns } = await this.#read(from)
      const added = where === 'before' ? turns.slice(0, held.from - from) : turns
      if (this.held.peek() !== held) return
      this.held.value =
        where === 'before'
          ? { ...held, from, turns: [...added, ...held.turns] }
          : { ...held, turns: [...held.turns, ...added] }
    } catch (error) {
      if (!this.#end.signal.aborted) tellPerson(error instanceof Error ? error.message : String(error), true)
    }
  }

  async #begin(turn: string | undefined): Promise<void> {
    try {
      const page = await this.#read(0)
      setClock(page.now)
      const at = turn === undefined ? 0 : page.bars.findIndex(([id]) => id === turn)
      const from = at < pageSize ? 0 : at - (at % pageSize)
      const { turns } = from === 0 ? page : await this.#read(from)
      this.held.value = { page, from, turns }
      const { learned } = await ask<LearnedList>(`${this.#address()}/learned`, this.#end.signal)
      this.learned.value = learned
    } catch (error) {
      if (!this.#end.signal.aborted) this.error.value = error instanceof Error ? error : new Error(String(error))
    }
  }

  async #read(from: number): Promise<SessionPage> {
    return ask<SessionPage>(`${this.#address()}?from=${from}`, this.#end.signal)
  }

  #address(): string {
    return `/api/sessions/${encodeURIComponent(this.id)}`
  }
}
