/** What the built-in kinds give as result, for programs that check references to it before a plan starts. */
import { z } from 'zod'

/** By kind. Kinds that are not here may give anything. */
export const stepResults: Readonly<Record<string, z.ZodType>> = {
  agent: z.object({ text: z.string(), stop: z.string() }),
  approval: z.object({ answer: z.string(), actor: z.string() }),
  command: z.object({ exitCode: z.int(), stdout: z.string(), stderr: z.string(), cut: z.boolean().optional() }),
  http: z.object({
    status: z.int(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    cut: z.boolean().optional(),
  }),
}
