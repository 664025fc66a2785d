import type { Concept } from '@agentm/nodes'
import { privateSession, sessionSource } from './session-source.ts'
import { sessionTurn } from './session-turn.ts'

/** What a log has to know to keep agent sessions. */
export const sessionConcepts: readonly Concept[] = [sessionTurn, sessionSource, privateSession]
