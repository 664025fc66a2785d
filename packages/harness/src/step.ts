/**
 * One step of a plan. The fields down to `provenanceMutation` come from the seed. Those after it are needed to run it safely: who
 * runs it, what it waits for, and how many retries are left.
 */
import { defineConcept } from '@agentm/nodes'
import { z } from 'zod'
import { checkSchema } from './checks/check.ts'
import { opensAt } from './flow/pure/start-times.ts'
import { planName, stepName } from './pure/concept-names.ts'
import { isPlanOver } from './pure/plan-transitions.ts'
import { stepReading } from './readings.ts'
import { wakesAt } from './pure/wakes-at.ts'
import { stepRefusal, stepStatuses } from './pure/step-transitions.ts'
import { answerSchema, questionSchema } from '@agentm/agent-loop/internal'

const object = z.record(z.string(), z.unknown())

/** What a durable function waits for: the first of these, or an answer. Messages up to number `heard` were read. */
export const functionWaitSchema = z.object({
  for: z.literal('function'),
  heard: z.number().int().min(0),
  until: z.number().optional(),
  plans: z.array(z.string()).optional(),
  /** The names of the signals. */
  signals: z.array(z.string()).optional(),
})

export type FunctionWait = z.infer<typeof functionWaitSchema>

/** What a blocked step waits for. A blocked step without this field waits for its dependencies. */
export const waitSchema = z.discriminatedUnion('for', [
  z.object({ for: z.literal('answer'), question: questionSchema }),
  z.object({ for: z.literal('plan'), planId: z.string() }),
  z.object({ for: z.literal('time'), until: z.number() }),
  /** A server answered "too many requests" and named a time. This uses up neither a retry nor a start. */
  z.object({ for: z.literal('rate-limit'), until: z.number(), message: z.string() }),
  z.object({ for: z.literal('resume') }),
  functionWaitSchema,
  /** The code of a function no longer fits its journal. It is tried again from time to time, on any worker. */
  z.object({ for: z.literal('code'), until: z.number(), message: z.string() }),
])

export type Wait = z.infer<typeof waitSchema>

export const failureSchema = z.object({
  /** `step` is a failure of the step itself, the only cause that uses up its retries. */
  cause: z.enum([
    'step',
    'lease',
    'vanished',
    'shutdown',
    'cancelled',
    'halted',
    'unknown',
    'refused',
    'timeout',
    /** It was not started in time. */
    'expired',
  ]),
  message: z.string(),
  /** `false`: the same call will fail again. */
  retryable: z.boolean().optional(),
  retryAfterMs: z.number().min(0).optional(),
  code: z.string().optional(),
})

export type Failure = z.infer<typeof failureSchema>

export const retrySchema = z.object({
  /** How many failures of its own it may have; after that it has failed permanently. */
  maxFailures: z.number().int().min(1).default(3),
  /** How many workers it may crash or lose; after that it is dead-lettered. */
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

  /** Its name within its plan. Steps that older versions wrote have none. */
  key: z.string().optional(),
  /** The step of another plan that did the work. This one began as done, with the result of that one, and never runs. */
  carriedFrom: z.object({ planId: z.string(), stepId: z.string() }).optional(),
  /** The run of a durable function whose recorded beginning this one repeats, and when that run began. */
  replays: z.object({ planId: z.string(), stepId: z.string(), startedAt: z.number() }).optional(),
  /** The kind that runs it: `command`, `http`, `module`, `agent`, `approval`, or one of the worker's own. */
  kind: z.string().optional(),
  /** What happens if it runs twice: nothing, the same again, or harm (default: what its kind says). */
  nature: z.enum(['pure', 'idempotent', 'effectful']).optional(),
  /** What happens to an effectful step whose worker is gone: a person is asked, it fails, or it is run again. */
  onUnknown: z.enum(['ask', 'fail', 'retry']).optional(),
  timeoutMs: z.number().min(1).optional(),
  /** The name of a tree that it shares with other steps of the plan (default: a tree of its own, if the plan keeps work apart). */
  tree: z.string().min(1).optional(),
  /** What must pass before it is done. */
  check: checkSchema.optional(),
  retry: retrySchema.optional(),
  /** The session that runs it; set only while it runs. */
  session: z.string().optional(),
  /** Set before an effectful run begins. If the worker is lost after that, the outcome is unknown. */
  intentAt: z.number().optional(),
  failure: failureSchema.optional(),
  /** How often it has failed by itself so far. */
  failures: z.number().int().min(0).optional(),
  /** How many workers it has lost so far. */
  crashes: z.number().int().min(0).optional(),
  /** When a failed step is retried. A failed step without it has failed permanently. */
  retryAt: z.number().optional(),
  /** Dead-lettered: it crashed or lost more workers than it may. */
  deadLetter: z.boolean().optional(),
  waitsFor: waitSchema.optional(),
  /** The most steps with this key that run at once. */
  limit: z.object({ key: z.string().min(1), atOnce: z.number().int().min(1) }).optional(),
  /** The most steps with this key that start within any span of `perMs` milliseconds. */
  rate: z.object({ key: z.string().min(1), starts: z.number().int().min(1), perMs: z.number().min(1) }).optional(),
  /** Higher starts first; one point counts as much as one minute of waiting. */
  priority: z.number().int().optional(),
  /** Its earliest start, in epoch milliseconds. */
  startAt: z.number().optional(),
  /** How much later it starts than it otherwise could. */
  delayMs: z.number().min(0).optional(),
  /** Its earliest start has come. */
  due: z.boolean().optional(),
  /** How long it may be ready before it is started for the first time; after that it fails. */
  expiresInMs: z.number().min(1).optional(),
  /** The answers, by question id. */
  answers: z.record(z.string(), answerSchema).optional(),
  /** Who made the last change by hand, and why. */
  actor: z.string().optional(),
  reason: z.string().optional(),
})

/** The content of a step node. */
export type Step = z.infer<typeof stepSchema>

export const step = defineConcept({
  name: stepName,
  schema: stepSchema,
  guard: ({ prior, next }) => stepRefusal(prior, next),
  relations: [{ field: 'planId', to: planName, kind: 'parent', mustExist: true }],
  dependsOn: { field: 'dependsOn', done: ['done'] },
  // These fields are stored unchanged, because a step cannot run with a header, an answer or a command in which parts were masked.
  verbatim: ['input', 'idempotencyKey', 'answers', 'check'],
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
    flow: ({ priority, limit, rate }) => ({ priority, limit, rate }),
    notBefore: (payload, since) => opensAt(payload, since),
  },
  timer: (payload, since) => wakesAt(payload, since),
  recallable: stepReading.recallable,
})
