/** Replays a recorded plan without its effects, and compares the course. */
import { composeId, type NodeLog } from '@agentm/nodes'
import { planVersions, type TraceOptions } from '../trace/read-trace.ts'
import { compareReplay, type Replay } from './pure/compare-replay.ts'
import { recordingOf, type Recording } from './pure/recording-of.ts'
import { simulatePlan } from './pure/simulate-plan.ts'

/**
 * `undefined` if the plan does not exist or belongs to another owner.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, replayPlan } from '@agentm/harness'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * console.log(await replayPlan(log, { planId: 'no-such-plan', owner: 'ada' })) // undefined
 * ```
 */
export async function replayPlan(
  log: Pick<NodeLog, 'position' | 'scan'>,
  options: TraceOptions,
): Promise<Replay | undefined> {
  const recording = await readRecording(log, options)
  return recording === undefined ? undefined : compareReplay(recording, simulatePlan(recording.recipe))
}

/**
 * Reads everything that is needed to replay a plan. `undefined` when there is no such plan.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, readRecording } from '@agentm/harness'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * console.log(await readRecording(log, { planId: 'no-such-plan', owner: 'ada' })) // undefined
 * ```
 */
export async function readRecording(
  log: Pick<NodeLog, 'position' | 'scan'>,
  { planId, owner }: TraceOptions,
): Promise<Recording | undefined> {
  const id = composeId('v1:harness:plan', planId)
  return recordingOf(id, await planVersions(log, { id, owner }))
}
