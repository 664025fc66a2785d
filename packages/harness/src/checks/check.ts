/** What must pass before a step is done. The parts are tried in the order of this file, and the first that fails ends the round. */
import { z } from 'zod'

const object = z.record(z.string(), z.unknown())

export const checkCommandSchema = z.strictObject({
  command: z.string().min(1).describe('The program. It runs without a shell, in the directory of the step.'),
  args: z.array(z.string()).default([]).describe('Its arguments.'),
  timeoutMs: z
    .number()
    .min(1)
    .optional()
    .describe('It is ended, and has failed, after this many milliseconds (default: 10 minutes).'),
})

/** A program that must exit with 0. */
export type CheckCommand = z.infer<typeof checkCommandSchema>

/** The parts of a check, as a plan file may write them. */
export const checkFields = {
  protect: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'Files that must stay as they are, such as test/** or package.json#scripts for one part of a JSON file. New files are allowed.',
    ),
  schema: object.optional().describe('A JSON schema that the output of the step must fit.'),
  commands: z.array(checkCommandSchema).min(1).optional().describe('Programs that must each exit with 0, in order.'),
  judge: z
    .strictObject({
      rubric: z.string().min(1).describe('What a good result is. A model decides whether the result fits it.'),
    })
    .optional()
    .describe('The configured model judges the result.'),
  ask: z
    .strictObject({
      question: z.string().min(1).describe('What a person is asked.'),
      options: z.array(z.string().min(1)).min(1).default(['yes', 'no']).describe('What may be answered.'),
      passes: z.array(z.string().min(1)).min(1).default(['yes']).describe('The answers that pass.'),
    })
    .optional()
    .describe('A person is asked.'),
  rounds: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe('How often the step may try to pass, if its kind can continue its work (default: 3).'),
}

/** Unknown fields are refused: a misspelt part would be a check that checks nothing. */
export const checkSchema = z
  .strictObject({
    ...checkFields,
    /** The protected files as they were, by name. Without it, they are read before the first run of the step. */
    protected: z.record(z.string(), z.string()).optional(),
  })
  .refine(
    ({ protect, schema, commands, judge, ask }) =>
      [protect, schema, commands, judge, ask].some((part) => part !== undefined),
    'a check needs at least one of protect, schema, commands, judge and ask',
  )
  .refine(
    ({ ask }) => ask === undefined || ask.passes.every((answer) => ask.options.includes(answer)),
    'each answer that passes must be one of the options',
  )

/** What must pass before a step is done. */
export type Check = z.infer<typeof checkSchema>

/** What is wrong with a check, in one line; `undefined` if nothing is. */
export function checkProblem(check: unknown): string | undefined {
  const { success, error } = checkSchema.safeParse(check)
  if (success) return undefined
  return error.issues
    .map(({ path, message }) => `check${path.map((part) => `.${String(part)}`).join('')}: ${message}`)
    .join('; ')
}

/** A check as it is written, with the default values left out. */
export type NewCheck = z.input<typeof checkSchema>
