/** What one step of reading a session gives. */
import type { SessionCursor } from './session-cursor.ts'
import type { TranscriptEvent } from './transcript-event.ts'

/** Some events of a session, and how far it was read with them. */
export interface SessionBatch {
  readonly events: readonly TranscriptEvent[]
  /** Store it once the events are processed. */
  readonly cursor: SessionCursor
  /** True in the first batch if the file was truncated or replaced since the cursor: its records are read from the first one again. */
  readonly restarted: boolean
}
