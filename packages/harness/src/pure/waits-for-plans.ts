import type { StepView } from './plan-view.ts'

/** Whether the step waits for the end of other plans. */
export function waitsForPlans({ payload: { waitsFor } }: Pick<StepView, 'payload'>): boolean {
  return waitsFor?.for === 'plan' || (waitsFor?.for === 'function' && waitsFor.plans !== undefined)
}
