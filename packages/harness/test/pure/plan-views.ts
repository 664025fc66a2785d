/** Short ways to say what a decision is made from. */
import type { Plan, Step } from '../../src/index.ts'
import type { PlanView } from '../../src/pure/plan-view.ts'
import { wholeView } from '../../src/pure/plan-view.ts'

export const now = 1_000_000

export function planOf(payload: Partial<Plan> = {}): PlanView['plan'] {
  return {
    id: 'v1:harness:plan:p',
    version: 1,
    payload: { ownerUserId: 'ada', goal: 'a goal', status: 'running', ...payload },
  }
}

export function stepOf(id: string, payload: Partial<Step> = {}) {
  const whole: Step = {
    ownerUserId: 'ada',
    planId: 'v1:harness:plan:p',
    title: id,
    status: 'pending',
    dependsOn: [],
    idempotencyKey: id,
    attempt: 0,
    ...payload,
  }
  return { id, version: 1, payload: whole }
}

export function viewOf(
  steps: readonly ReturnType<typeof stepOf>[],
  more: Partial<Omit<PlanView, 'steps' | 'counts' | 'whole'>> = {},
): PlanView {
  return wholeView({ now, plan: planOf(), ...more, steps })
}
