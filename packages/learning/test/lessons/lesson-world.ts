/** A log in memory, turns of agent sessions in it, and learning from them. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { consolidationCursor } from '@agentm/learning'
import { type LessonOptions, type LessonRequest, learnedShelf, learnFromSessions } from '@agentm/learning/lessons'
import { observation, semanticMemory } from '@agentm/memory'
import { composeId } from '@agentm/nodes'
import { sessionTurn } from '../../src/sessions/session-turn.ts'
import { type Given, lessonTurns } from './lesson-turns.ts'

export const concepts = [observation, semanticMemory, consolidationCursor, sessionTurn]

export interface Told {
  readonly session?: string
  readonly partition?: string
  readonly from?: number
}

export function lessonWorld(more: Partial<LessonOptions> = {}) {
  let time = Date.UTC(2026, 9, 1)
  const runtime = { now: () => time, random: () => 0.5 }
  const store = createInMemoryStore({ concepts, runtime })
  const shelf = learnedShelf({ log: store.log, owner: 'ada', now: runtime.now })
  return {
    store,
    shelf,
    tick: (ms: number) => (time += ms),
    /** Keeps the turns of one session, from number `from` on. */
    tell: async (given: readonly (Given | string)[], { session = 's1', partition = 'acme', from = 1 }: Told = {}) => {
      for (const { id: _, at, session: __, ...turn } of lessonTurns(...given)) {
        const number = from + turn.turn - 1
        const startedAt = new Date(at + number * 60_000 + time - Date.UTC(2026, 9, 1)).toISOString()
        const fields = {
          ownerUserId: 'ada',
          host: 'claude-code',
          session,
          records: [number * 10, number * 10 + 9],
          startedAt,
        }
        const payload = { ...turn, ...fields, turn: number, content: turn.asked }
        const id = composeId(sessionTurn.name, `${session}-${number}`)
        const draft = { concept: sessionTurn.name, id, payload, mutation: 'captureTurn' }
        await store.log.append([draft], { owner: 'ada', actor: 'capture', partition })
      }
    },
    learn: async (request: Partial<LessonRequest> = {}, options: Partial<LessonOptions> = {}) =>
      learnFromSessions({ runtime, ...more, ...options, store: options.store ?? store }, { owner: 'ada', ...request }),
    statements: async (status: 'waiting' | 'accepted' | 'rejected' | 'replaced' = 'waiting') =>
      (await shelf.list({ status })).map(({ statement }) => statement).toSorted(),
    versions: async () =>
      (await store.log.scan({ owner: 'ada', concepts: [semanticMemory.name], versions: 'all' })).nodes.length,
    cursor: async () =>
      (await store.log.scan({ owner: 'ada', concepts: [consolidationCursor.name] })).nodes[0]?.payload,
  }
}
