/**
 * How far one session file was read. It is written once for many records, so that a long session adds little to the log: what was read
 * since is read again, and turns that are the same are not written again.
 */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'

/** How far one session file was read. */
export const sessionSource = defineConcept({
  name: 'v1:sessions:source',
  schema: z.object({
    ownerUserId: z.string().min(1),
    host: z.string().min(1),
    /** The file, relative to where its host keeps sessions. */
    source: z.string().min(1),
    /** The last record that was read. */
    record: z.number().int().min(0),
    /** The reader's cursor and the state of the fold, as JSON. */
    cursor: z.string(),
    fold: z.string(),
  }),
  // The cursor holds hashes, which must come back as they were. The texts in both were redacted before.
  verbatim: ['cursor', 'fold'],
})

/** A session that a person wants to keep out of the log. */
export const privateSession = defineConcept({
  name: 'v1:sessions:private',
  schema: z.object({ ownerUserId: z.string().min(1), host: z.string().min(1), session: z.string().min(1) }),
})
