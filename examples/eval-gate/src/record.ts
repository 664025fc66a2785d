import { type Fixture, fixtureOf, readRecording } from '@agentm/harness'
import type { NodeLog } from '@agentm/nodes'

/** A plan of the log as a fixture: plain JSON, to be kept beside the code. */
export async function record(
  log: NodeLog,
  plan: { readonly planId: string; readonly owner: string; readonly name: string },
): Promise<Fixture> {
  const recording = await readRecording(log, plan)
  if (recording === undefined) throw new Error(`there is no plan ${plan.planId} of ${plan.owner}`)
  return fixtureOf(recording, plan.name)
}
