import { assembleTrace, renderTrace, type TraceAnswer } from '@agentm/harness'
import { composeId } from '@agentm/nodes'

/** The trace of a plan that is in no log. */
export function emptyTrace(planId: string): TraceAnswer {
  const trace = assembleTrace(composeId('v1:harness:plan', planId), [])
  return { planId: trace.planId, timeline: renderTrace(trace), complete: false, stepCount: 0 }
}
