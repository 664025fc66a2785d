import { assembleTrace, renderTrace, traceOf, type TraceAnswer } from '@agentm/harness'
import { composeId, redactSecrets } from '@agentm/nodes'
import type { SelectionWorld } from '@agentm/selection/reader'
import { openHarnessReader } from './open-harness-reader.ts'

/** What happened to a plan of the configured owner. An absent plan, and somebody else's, have an empty trace. */
export async function readPlanTrace(planId: string, world?: SelectionWorld): Promise<TraceAnswer> {
  const opened = await openHarnessReader(world)
  if (opened === undefined) return emptyTrace(planId)
  try {
    const trace = await traceOf(opened.log, { planId, owner: opened.owner })
    // What was written before secrets were kept out of the log may hold some.
    return { ...trace, timeline: redactSecrets(trace.timeline) }
  } finally {
    await opened.close()
  }
}

function emptyTrace(planId: string): TraceAnswer {
  const trace = assembleTrace(composeId('v1:harness:plan', planId), [])
  return { planId: trace.planId, timeline: renderTrace(trace), complete: false, stepCount: 0 }
}
