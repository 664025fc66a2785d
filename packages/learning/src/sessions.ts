/** Sessions of coding agents: capture their turns, and look through them. */
export {
  captureSession,
  type CaptureOptions,
  type CapturedSession,
  type SessionFile,
  type SessionPlace,
} from './sessions/capture-session.ts'
export type { SessionSummary } from './sessions/pure/in-sessions.ts'
export type { KeptTurn } from './sessions/pure/kept-turn.ts'
export {
  keepPrivate,
  readSessions,
  type SessionFilter,
  type SessionShelf,
  sessionShelf,
  type SessionStory,
} from './sessions/session-shelf.ts'
export { type SessionTurn, sessionTurn } from './sessions/session-turn.ts'
export { UnknownSessionError } from './learning-errors.ts'
