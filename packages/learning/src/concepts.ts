/** The kinds of node that learning writes, for whoever opens the log; nothing else is loaded. */
export { consolidationCursor } from './consolidation/consolidation-cursor.ts'
