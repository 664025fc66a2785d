/**
 * Sample concepts for testing a store: a plan whose steps use the full table of status changes, an observation that recall finds, and a
 * belief whose age counts from its last reinforcement. No concept of the product is defined here.
 */
import { type Concept, defineConcept } from '@agentm/nodes'
import { ConceptSet } from '@agentm/nodes/store-kit'
import { z } from 'zod'

const transitions: Readonly<Record<string, readonly string[]>> = {
  pending: ['ready'],
  ready: ['running'],
  running: ['blocked', 'done', 'failed'],
  blocked: ['ready'],
  done: [],
  failed: ['ready'],
}

/** A plan. */
export const samplePlan: Concept = defineConcept({
  name: 'v1:sample:plan',
  schema: z.object({
    goal: z.string(),
    status: z.enum(['open', 'running', 'done', 'failed', 'cancelled']).default('open'),
    paused: z.boolean().optional(),
  }),
  recallable: { text: ({ goal }) => goal, agesFrom: (_, { firstCreatedAt }) => firstCreatedAt },
})

/** A step with the full table of status changes. */
export const sampleStep: Concept = defineConcept({
  name: 'v1:sample:step',
  schema: z.object({
    title: z.string(),
    planId: z.string().optional(),
    kind: z.string().optional(),
    status: z.string().default('pending'),
    dependsOn: z.array(z.string()).default([]),
    attempt: z.number().int().default(0),
    claimedBy: z.string().optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    retryAt: z.number().optional(),
    priority: z.number().int().optional(),
    limit: z.object({ key: z.string(), atOnce: z.number().int() }).optional(),
    rate: z.object({ key: z.string(), starts: z.number().int(), perMs: z.number() }).optional(),
    startAt: z.number().optional(),
    expiresAt: z.number().optional(),
  }),
  relations: [{ field: 'planId', to: samplePlan.name, kind: 'parent', mustExist: true }],
  dependsOn: { field: 'dependsOn', done: ['done'] },
  verbatim: ['result'],
  guard: ({ prior, next }) =>
    prior === undefined ? firstRefusal(next.status) : transitionRefusal(prior.status, next.status, prior, next),
  claimable: {
    from: 'ready',
    to: 'running',
    sessionField: 'claimedBy',
    mutation: 'startSampleStep',
    kind: { field: 'kind', otherwise: 'plain' },
    claim: (_, { session }) => ({ status: 'running', claimedBy: session }),
    heldBy: ({ status, paused }) => paused === true || !(status === 'open' || status === 'running'),
    flow: ({ priority, limit, rate }) => ({ priority, limit, rate }),
    notBefore: ({ startAt }) => startAt,
  },
  timer: ({ status, retryAt, startAt = 0, expiresAt }, since) => {
    if (status === 'failed') return retryAt
    if (status !== 'ready') return undefined
    return startAt > since ? startAt : expiresAt
  },
})

/** An observation that can be recalled. */
export const sampleObservation: Concept = defineConcept({
  name: 'v1:sample:observation',
  schema: z.object({
    content: z.string(),
    kind: z.enum(['note', 'error']).default('note'),
    stepId: z.string().optional(),
    data: z.record(z.string(), z.unknown()).optional(),
  }),
  relations: [{ field: 'stepId', to: sampleStep.name, kind: 'parent' }],
  recallable: { text: ({ content }) => content },
})

/** A belief that ages from its last reinforcement. */
export const sampleBelief: Concept = defineConcept({
  name: 'v1:sample:belief',
  schema: z.object({
    content: z.string(),
    status: z.enum(['active', 'pruned']).default('active'),
    confidence: z.number().default(0.5),
    lastReinforced: z.number().optional(),
    sourceEpisodes: z.array(z.string()).default([]),
  }),
  relations: [
    { field: 'sourceEpisodes', to: [sampleObservation.name, sampleStep.name], kind: 'formedFrom', indexed: true },
  ],
  recallable: {
    text: ({ content }) => content,
    active: ['active'],
    agesFrom: ({ lastReinforced }, { firstCreatedAt }) => lastReinforced ?? firstCreatedAt,
    weights: { wLex: 0.3, halfLife: 30 * 24 * 3600 },
  },
})

/** The concepts that the contracts use. */
export const sampleConcepts: ConceptSet = new ConceptSet([samplePlan, sampleStep, sampleObservation, sampleBelief])

function firstRefusal(status: string): string | undefined {
  return status === 'pending' ? undefined : 'a new step must start in status pending'
}

function transitionRefusal(
  from: string,
  to: string,
  prior: { readonly attempt: number },
  next: { readonly attempt: number },
): string | undefined {
  if (!(to in transitions)) return `unknown status ${JSON.stringify(to)}`
  if (from !== to && transitions[from]?.includes(to) !== true) return `invalid transition from ${from} to ${to}`
  return from === 'failed' && to === 'ready' && next.attempt <= prior.attempt
    ? 'retry must increment attempt'
    : undefined
}
