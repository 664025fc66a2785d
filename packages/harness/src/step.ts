/**
 * One node of a plan's graph. The fields down to `provenanceMutation` are the seed's; those after it are what running it
 * safely needs: who runs it, what it waits for, and what its failures left to it.
 */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { planName, stepName } from './pure/concept-names.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import { stepReading } from './readings.ts'
import { wakesAt } from './pure/wakes-at.ts'
import { stepRefusal, stepStatuses } from './pure/step-transitions.ts'
import { answerSchema, questionSchema } from '@agentm/agent-loop/internal'

const object = z.record(z.string(), z.unknown())

/** What a blocked step waits for; one without any waits for its dependencies. */
export const waitSchema = z.discriminatedUnion('for', [
  z.object({ for: z.literal('answer'), question: questionSchema }),
  z.object({ for: z.literal('plan'), planId: z.string() }),
  z.object({ for: z.literal('time'), until: z.number() }),
  /** A server answered "too many requests" and named a time. This uses up neither a retry nor a start. */
  z.object({ for: z.literal('rate-limit'), until: z.number(), message: z.string() }),
  z.object({ for: z.literal('resume') }),
])

export type Wait = z.infer<typeof waitSchema>

export const failureSchema = z.object({
  /** `step`: its own doing, the only cause that uses up its retries. */
  cause: z.enum(['step', 'lease', 'vanished', 'shutdown', 'cancelled', 'halted', 'unknown', 'refused', 'timeout']),
  message: z.string(),
  /** `false`: the same call will fail again. */
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().min(0).optional(),
  code: z.string().optional(),
})

export type Failure = z.infer<typeof failureSchema>

export const retrySchema = z.object({
  /** Failures of its own before it has failed permanently. */
  maxFailures: z.number().int().min(1).default(3),
  /** Workers it may take down, or lose, before it is set aside. */
  maxCrashes: z.number().int().min(1).default(5),
  baseMs: z.number().min(0).default(1000),
  capMs: z.number().min(0).default(60_000),
})

/** How often a step is retried after failures and crashes, and how long it waits between attempts. */
export type RetryPolicy = z.infer<typeof retrySchema>

export const stepSchema = z.object({
  ownerUserId: z.string().min(1),
  planId: z.string().min(1),
  title: z.string().min(1),
  status: z
    .preprocess((status) => (typeof status === 'string' ? status.trim() || 'pending' : status), z.enum(stepStatuses))
    .default('pending'),
  assignedAgent: z.string().optional(),
  dependsOn: z.array(z.string()).default([]),
  idempotencyKey: z.string().min(1),
  input: object.optional(),
  result: object.optional(),
  attempt: z.number().int().min(0).default(0),
  errorMessage: z.string().optional(),
  startedAt: z.iso.datetime().optional(),
  completedAt: z.iso.datetime().optional(),
  provenanceMutation: z.string().optional(),

  /** How it is run: `command`, `http`, `module`, `agent`, or a kind of the worker's own. */
  kind: z.string().optional(),
  /** What running it twice would do: nothing, the same again, or harm (default: the kind's own answer). */
  nature: z.enum(['pure', 'idempotent', 'effectful']).optional(),
  /** What becomes of an effectful step whose worker is gone: somebody is asked, it fails, or it is run again. */
  onUnknown: z.enum(['ask', 'fail', 'retry']).optional(),
  timeoutMs: z.number().min(1).optional(),
  retry: retrySchema.optional(),
  /** The session that runs it, while it runs. */
  session: z.string().optional(),
  /** Set before an effectful run begins: from here on, a lost worker leaves an unknown outcome. */
  intentAt: z.number().optional(),
  failure: failureSchema.optional(),
  /** Failures of its own so far. */
  failures: z.number().int().min(0).optional(),
  /** Workers it lost so far. */
  crashes: z.number().int().min(0).optional(),
  /** A failed step with a time here is tried again then; one without has failed permanently. */
  retryAt: z.number().optional(),
  /** Set aside: it took down, or lost, more workers than it may. */
  deadLetter: z.boolean().optional(),
  waitsFor: waitSchema.optional(),
  /** By question id. */
  answers: z.record(z.string(), answerSchema).optional(),
  /** Who asked for the last change made by hand, and why. */
  actor: z.string().optional(),
  reason: z.string().optional(),
})

/** One step of a plan: the content of a step node. */
export type Step = z.infer<typeof stepSchema>

export const step = defineConcept({
  name: stepName,
  schema: stepSchema,
  guard: ({ prior, next }) => stepRefusal(prior, next),
  relations: [{ field: 'planId', to: planName, kind: 'parent', mustExist: true }],
  dependsOn: { field: 'dependsOn', done: ['done'] },
  // What it runs with, a header or an answer to a question among it, is of no use when parts of it are replaced.
  verbatim: ['input', 'idempotencyKey', 'answers'],
  claimable: {
    from: 'ready',
    to: 'running',
    sessionField: 'session',
    mutation: 'startHarnessStep',
    kind: { field: 'kind', otherwise: 'agent' },
    claim: ({ nature }, { session, at, durability }) => ({
      status: 'running',
      session,
      startedAt: new Date(at).toISOString(),
      ...(durability === 'full' && nature === 'effectful' && { intentAt: at }),
    }),
    heldBy: ({ status, paused, halting }) =>
      paused === true || halting !== undefined || isPlanOver(typeof status === 'string' ? status : undefined),
  },
  timer: (payload) => wakesAt(payload),
  recallable: stepReading.recallable,
})
