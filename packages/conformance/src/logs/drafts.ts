/** Short functions for the drafts that contracts write. */
import type { AppendOptions, Draft, NodeStore, Payload } from '@agentm/nodes'
import { sampleBelief, sampleObservation, samplePlan, sampleStep } from './sample-concepts.ts'

export const ada: AppendOptions = { owner: 'ada', actor: 'contract', partition: 'attic' }
export const bob: AppendOptions = { owner: 'bob', actor: 'contract', partition: 'attic' }

export function plan(id: string, payload: Payload = {}): Draft {
  return { concept: samplePlan.name, id, payload: { goal: `goal of ${id}`, ...payload }, mutation: 'createSamplePlan' }
}

export function step(id: string, payload: Payload = {}): Draft {
  return { concept: sampleStep.name, id, payload: { title: `step ${id}`, ...payload }, mutation: 'addSampleStep' }
}

/** A change of an existing step. */
export function move(id: string, payload: Payload): Draft {
  return { concept: sampleStep.name, id, payload, mutation: 'moveSampleStep', update: true }
}

export function observation(id: string, content: string, more: Partial<Draft> = {}, payload: Payload = {}): Draft {
  return { concept: sampleObservation.name, id, payload: { content, ...payload }, mutation: 'recordSample', ...more }
}

export function belief(id: string, payload: Payload, more: Partial<Draft> = {}): Draft {
  return { concept: sampleBelief.name, id, payload, mutation: 'createSampleBelief', ...more }
}

export const stepId = (id: string): string => `${sampleStep.name}:${id}`
export const planId = (id: string): string => `${samplePlan.name}:${id}`
export const observationId = (id: string): string => `${sampleObservation.name}:${id}`
export const beliefId = (id: string): string => `${sampleBelief.name}:${id}`

/** The statuses that a step passes through to reach another one. */
const wayTo: Readonly<Record<string, readonly string[]>> = {
  pending: [],
  ready: ['ready'],
  running: ['ready', 'running'],
  blocked: ['ready', 'running', 'blocked'],
  done: ['ready', 'running', 'done'],
  failed: ['ready', 'running', 'failed'],
}

/** A new step that is brought to a status in one append. */
export async function stepIn(
  store: NodeStore,
  id: string,
  status: string,
  options = ada,
  payload: Payload = {},
): Promise<void> {
  await store.log.append(
    [step(id, payload), ...(wayTo[status] ?? []).map((next) => move(id, { status: next }))],
    options,
  )
}

/** Steps ready to be claimed. */
export async function readySteps(
  store: NodeStore,
  ids: readonly string[],
  options = ada,
  payload: Payload = {},
): Promise<void> {
  await store.log.append(
    ids.flatMap((id) => [step(id, payload), move(id, { status: 'ready' })]),
    options,
  )
}
