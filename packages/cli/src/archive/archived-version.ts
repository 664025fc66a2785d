/**
 * The lines of an archive: a heading, every version of every node, and an end that counts them. Versions of one node follow each other, and
 * nodes come in the order in which they can be removed.
 */
import { z } from 'zod'

export const headingSchema = z.object({
  agentm: z.literal('archive'),
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  owner: z.string().min(1),
})

export const versionSchema = z.object({
  /** The plan or agent session with which it left the log. */
  group: z.string().min(1),
  node: z.object({
    id: z.string().min(1),
    concept: z.string().min(1),
    version: z.number().int().min(1),
    seq: z.number().int().min(1),
    owner: z.string().min(1),
    partition: z.string().min(1),
    createdBy: z.string(),
    createdAt: z.number(),
    provenanceMutation: z.string(),
    status: z.string().optional(),
    payload: z.record(z.string(), z.unknown()),
    redacted: z.boolean(),
  }),
})

export const endSchema = z.object({
  end: z.object({ nodes: z.number().int(), versions: z.number().int(), sha256: z.string() }),
})

/** One version of a node in an archive. */
export type ArchivedVersion = z.infer<typeof versionSchema>

/** What an archive contains, as its last line says. */
export type ArchiveEnd = z.infer<typeof endSchema>['end']
