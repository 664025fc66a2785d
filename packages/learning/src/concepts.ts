/** The node concepts that learning writes, for programs that open the log. No other code is loaded. */
export { consolidationCursor } from './consolidation/consolidation-cursor.ts'
export { sessionConcepts } from './sessions/session-concepts.ts'
