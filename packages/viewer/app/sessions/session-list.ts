/** The list as the page holds it: the newest sessions, or those that a search found, and older ones as they are asked for. */
import { signal } from '@preact/signals'
import type { SessionList } from '../../src/contract/sessions.ts'
import { ask } from '../api.ts'
import { setClock } from '../clock.ts'
import { tellPerson } from '../notices.ts'

interface Held extends SessionList {
  /** What was searched for. */
  readonly words: string
}

export const held = signal<Held | undefined>(undefined)
export const isSearching = signal(false)
let asking: AbortController | undefined

/** A person who types is not asked for each letter. */
const pauseMs = 120

export async function search(words: string): Promise<void> {
  asking?.abort()
  asking = new AbortController()
  const { signal: end } = asking
  isSearching.value = true
  if (held.peek() !== undefined) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  if (end.aborted) return
  try {
    const list = await ask<SessionList>(address(words), end)
    setClock(list.now)
    held.value = { ...list, words }
  } catch (error) {
    if (end.aborted) return
    tellPerson(error instanceof Error ? error.message : String(error), true)
  }
  isSearching.value = false
}

export async function loadOlder(): Promise<void> {
  const before = held.peek()
  if (before?.before === undefined) return
  try {
    const older = await ask<SessionList>(address(before.words, before.before))
    const known = new Set(before.sessions.map(({ host, id }) => `${host} ${id}`))
    const sessions = [...before.sessions, ...older.sessions.filter(({ host, id }) => !known.has(`${host} ${id}`))]
    if (held.peek() === before) held.value = { ...older, sessions, words: before.words }
  } catch (error) {
    tellPerson(error instanceof Error ? error.message : String(error), true)
  }
}

function address(words: string, before?: number): string {
  const query = new URLSearchParams()
  if (words !== '') query.set('q', words)
  if (before !== undefined) query.set('before', `${before}`)
  return `/api/sessions?${query}`
}
