/** A log with plans in it, written as the harness writes them. */
import { createInMemoryStore } from '@agentm/conformance/logs'
import { observation } from '@agentm/memory'
import type { Draft, NodeStore } from '@agentm/nodes'
import { plan } from '../../src/plan.ts'
import { step } from '../../src/step.ts'

export interface SampleLog {
  readonly store: NodeStore
  /** Lets so many milliseconds pass. */
  pass(ms: number): void
  write(
    ...drafts: readonly (Omit<Draft, 'concept'> & { readonly of: 'plan' | 'step' | 'observation' })[]
  ): Promise<void>
  newPlan(id: string, steps: Readonly<Record<string, readonly string[]>>, more?: Draft['payload']): Promise<void>
  to(id: string, status: string, more?: Draft['payload'], mutation?: string): Promise<void>
  observe(planId: string, stepId: string | undefined, kind: string, data?: Draft['payload']): Promise<void>
}

const concepts = { plan, step, observation }
const mutations: Readonly<Record<string, string>> = {
  ready: 'readyHarnessStep',
  running: 'startHarnessStep',
  done: 'completeHarnessStep',
  failed: 'failHarnessStep',
  blocked: 'askHarnessStep',
}

export function sampleLog(owner = 'ann'): SampleLog {
  let now = Date.parse('2026-03-01T10:00:00Z')
  const store = createInMemoryStore({ concepts: Object.values(concepts), runtime: { now: () => now } })
  const write: SampleLog['write'] = async (...drafts) => {
    const named = drafts.map(({ of, ...draft }) => ({ ...draft, concept: concepts[of].name }))
    await store.log.append(named, { owner, actor: 'reconciler' })
  }
  return {
    store,
    pass(ms) {
      now += ms
    },
    write,
    async newPlan(id, steps, more = {}) {
      const goal = `goal of ${id}`
      await write(
        { of: 'plan', id, payload: { ownerUserId: owner, goal, ...more }, mutation: 'createHarnessPlan' },
        ...Object.entries(steps).map(([short, dependsOn]) => ({
          of: 'step' as const,
          id: short,
          payload: { ownerUserId: owner, planId: id, title: `title of ${short}`, dependsOn, idempotencyKey: short },
          mutation: 'addHarnessStep',
        })),
      )
    },
    async to(id, status, more = {}, mutation = mutations[status] ?? 'test') {
      await write({ of: 'step', id, payload: { status, ...more }, mutation, update: true })
    },
    async observe(planId, stepId, kind, data = {}) {
      const at = { planId, ...(stepId !== undefined && { stepId }) }
      const payload = { ownerUserId: owner, ...at, kind, content: `${kind} of ${stepId ?? planId}`, data }
      await write({ of: 'observation', payload, mutation: 'recordHarnessObservation' })
    },
  }
}
