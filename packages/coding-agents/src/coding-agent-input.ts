/** The input of a step that a coding agent carries out. */
import { z } from 'zod'

/** The schema of the input of a step that a coding agent carries out, for programs that accept plans from outside. */
export const codingAgentInput = z.object({
  prompt: z.string().min(1).describe('What the coding agent is to do.'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe('The model, as the coding agent names it (default: the one it is configured with).'),
  maxTurns: z.number().int().min(1).optional().describe('After how many replies of the model the step fails.'),
  permissions: z
    .object({
      files: z.enum(['off', 'read', 'write']).optional().describe('What it may do with files of its directory.'),
      shell: z.array(z.string().min(1)).optional().describe('The programs that it may run; an empty list for none.'),
      hosts: z.array(z.string().min(1)).optional().describe('The hosts that it may fetch pages from.'),
    })
    .strict()
    .optional()
    .describe('Less than the configuration allows (default: all that it allows).'),
})

/** The input of a step that a coding agent carries out. */
export type CodingAgentInput = z.infer<typeof codingAgentInput>
