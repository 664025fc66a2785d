/** A plan: its goal and limits. The fields down to `provenanceMutation` come from the seed. */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { checkSchema } from './checks/check.ts'
import { type DataSchema, dataSchema } from './control/data-schema.ts'
import { budgetLimits } from './pure/budget-verdict.ts'
import { planName, scheduleName, stepName } from './pure/concept-names.ts'
import { isPlanOver, planRefusal, planStatuses } from './pure/plan-transitions.ts'
import { planReading } from './readings.ts'

const object = z.record(z.string(), z.unknown())
const declared: z.ZodType<DataSchema> = dataSchema

/** What a plan may use, including the plans that its steps start. A limit that is not set does not apply. */
export const budgetSchema = z.object({
  maxSteps: z.number().int().min(1).optional(),
  maxToolCalls: z.number().int().min(1).optional(),
  maxTokens: z.number().int().min(1).optional(),
  /** Counted from the first claim. */
  maxWallClockMs: z.number().min(1).optional(),
  /** In millionths of a dollar. With this limit, a model without a price is refused. */
  maxCostMicros: z.number().min(1).optional(),
})

/** Where the steps of a plan work, if not in the working folder itself. */
export const treesSchema = z.object({
  /** `own`: each step has a tree of its own. `shared`: all steps share one, apart from the user's. */
  mode: z.enum(['own', 'shared']),
  /** The working folder that the trees stand for. */
  folder: z.string().min(1),
  /** The commit that the plan starts from. */
  base: z.string().min(1),
  /** The machine that has the trees. */
  device: z.string().min(1),
  /** An earlier plan with the same base. This one starts with what the steps of that one have changed. */
  after: z.string().optional(),
})

/** Where the steps of a plan work, if not in the working folder itself. */
export type PlanTrees = z.infer<typeof treesSchema>

/** What a plan may use at most. A field that is not set is not limited. */
export type Budget = z.infer<typeof budgetSchema>

export const planSchema = z.object({
  ownerUserId: z.string().min(1),
  goal: z.string().min(1),
  status: z.enum(planStatuses).default('open'),
  rootStepId: z.string().optional(),
  input: object.optional(),
  result: object.optional(),
  errorMessage: z.string().optional(),
  startedAt: z.iso.datetime().optional(),
  completedAt: z.iso.datetime().optional(),
  provenanceMutation: z.string().optional(),

  budget: budgetSchema.optional(),
  trees: treesSchema.optional(),
  /** What must pass before the plan is done. It was given to one of its steps, too. */
  check: checkSchema.optional(),
  /** While this is true, no step of the plan is started. Running steps are notified. */
  paused: z.boolean().optional(),
  /** A budget is used up: running steps may finish, no other step starts, and then the plan fails. */
  halting: z.object({ limit: z.enum(budgetLimits), used: z.number(), allowed: z.number() }).optional(),
  /** The plan and the step that started this plan. Its usage counts there, too, and it ends when that step ends. */
  parentPlanId: z.string().optional(),
  parentStepId: z.string().optional(),
  /** The earlier plan for the same goal that this one replaces. */
  follows: z.string().optional(),
  /** The plan that this one runs again, from this step on; without a step, from the beginning. */
  forkedFrom: z.string().optional(),
  forkedAt: z.string().optional(),
  /** How many of its steps were done in the plan that it was forked from. */
  carried: z.number().int().min(0).optional(),
  /** What its inputs have to be, by name. */
  inputs: z.record(z.string(), declared).optional(),
  /** How often the goal was replanned because the previous plan made no progress. */
  revision: z.number().int().min(0).optional(),
  /** The schedule that started it, and the time of the schedule that it was started for. */
  scheduleId: z.string().optional(),
  scheduledFor: z.iso.datetime().optional(),
  /** Who made the last change by hand, and why. */
  actor: z.string().optional(),
  reason: z.string().optional(),
})

/** The content of a plan node. */
export type Plan = z.infer<typeof planSchema>

export const plan = defineConcept({
  name: planName,
  schema: planSchema,
  guard: ({ prior, next }) => planRefusal(prior?.status, next.status),
  relations: [
    { field: 'parentPlanId', to: planName, kind: 'parent', mustExist: true },
    { field: 'parentStepId', to: stepName, kind: 'startedBy', mustExist: true, indexed: true },
    { field: 'follows', to: planName, kind: 'follows', mustExist: true },
    { field: 'forkedFrom', to: planName, kind: 'forkedFrom', mustExist: true },
    { field: 'rootStepId', to: stepName, kind: 'owns' },
    { field: 'scheduleId', to: scheduleName, kind: 'startedBy' },
  ],
  verbatim: ['input', 'inputs', 'trees', 'check'],
  timer: ({ status, startedAt, budget }) =>
    isPlanOver(status) || startedAt === undefined || budget?.maxWallClockMs === undefined
      ? undefined
      : Date.parse(startedAt) + budget.maxWallClockMs,
  recallable: planReading.recallable,
})
