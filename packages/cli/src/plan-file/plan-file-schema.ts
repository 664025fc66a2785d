/** The schema of a plan file. An unknown field is refused, because a step with a misspelt `dependsOn` would run too early. */
import { z } from 'zod'

const object = z.record(z.string(), z.unknown())
const count = z.int().min(1)

const stepSchema = z.strictObject({
  key: z.string().trim().min(1),
  title: z.string().min(1).optional(),
  kind: z.string().min(1).default('agent'),
  dependsOn: z.union([z.string(), z.array(z.string())]).optional(),
  input: object.optional(),
  assignedAgent: z.string().min(1).optional(),
  nature: z.enum(['pure', 'idempotent', 'effectful']).optional(),
  onUnknown: z.enum(['ask', 'fail', 'retry']).optional(),
  timeoutMs: z.number().min(1).optional(),
  retry: z
    .strictObject({
      maxFailures: count.optional(),
      maxCrashes: count.optional(),
      baseMs: z.number().min(0).optional(),
      capMs: z.number().min(0).optional(),
    })
    .optional(),
})

export const planFileSchema = z.strictObject({
  goal: z.string().min(1).optional(),
  input: object.optional(),
  budget: z
    .strictObject({
      maxSteps: count.optional(),
      maxToolCalls: count.optional(),
      maxTokens: count.optional(),
      maxWallClockMs: z.number().min(1).optional(),
      /** In dollars. */
      maxCost: z.number().min(0.000_001).optional(),
    })
    .optional(),
  steps: z.array(stepSchema).min(1, 'a plan has at least one step'),
})

export type PlanFileStep = z.output<typeof stepSchema>

/** The parts of steps that refer to each other. They are checked even if other fields are wrong. */
export const planOutlineSchema = z.object({
  steps: z.array(z.object(stepSchema.pick({ key: true, kind: true, dependsOn: true, input: true }).shape)),
})

export type OutlinedStep = z.output<typeof planOutlineSchema>['steps'][number]
