/** How often and how long a step ran, and what it used, from its versions and its observations. */
import type { Node } from '@agentm/nodes'
import { addUsage, noUsage, type Usage } from '../../pure/budget-verdict.ts'
import { observationUsage } from '../../pure/observation-usage.ts'

export interface StepRuns {
  readonly attempts: number
  readonly durationMs: number
}

/** Versions come in their order. A start that ended in a wait is no attempt of its own. */
export function stepRuns(versions: readonly Node[], now: number): StepRuns {
  let [attempts, durationMs] = [0, 0]
  let since: number | undefined
  for (const { status, createdAt, provenanceMutation } of versions) {
    if (status === 'running') {
      since ??= createdAt
      if (provenanceMutation === 'startHarnessStep') attempts += 1
      continue
    }
    if (since !== undefined) durationMs += Math.max(0, createdAt - since)
    if (since !== undefined && status === 'blocked') attempts = Math.max(0, attempts - 1)
    since = undefined
  }
  return { attempts, durationMs: durationMs + (since === undefined ? 0 : Math.max(0, now - since)) }
}

/** By step. */
export function usageBySteps(observations: readonly Node[]): ReadonlyMap<string, Usage> {
  const usage = new Map<string, Usage>()
  for (const { payload } of observations) {
    const stepId = typeof payload['stepId'] === 'string' ? payload['stepId'] : ''
    usage.set(stepId, addUsage(usage.get(stepId) ?? noUsage, observationUsage(payload)))
  }
  return usage
}
