/** Reads the trace of a plan from its log. No trace is stored separately. */
import { composeId, type Node, type NodeLog, type ScanQuery } from '@agentm/nodes'
import { isFunctionKind } from '../functions/pure/function-kind-name.ts'
import { assembleTrace, type Trace } from './pure/assemble-trace.ts'
import { renderTrace } from './pure/render-trace.ts'

/** The functions of a log that reading a trace needs. */
type TraceLog = Pick<NodeLog, 'position' | 'scan'>

export interface TraceOptions {
  /** With or without the prefix of its concept. */
  readonly planId: string
  readonly owner: string
}

/** The form that is sent over a connection. */
export interface TraceAnswer {
  readonly planId: string
  readonly timeline: string
  readonly complete: boolean
  readonly stepCount: number
}

/**
 * The trace of another owner's plan is empty, like that of an absent plan.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, traceOf } from '@agentm/harness'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * const answer = await traceOf(log, { planId: 'no-such-plan', owner: 'ada' })
 * ```
 */
export async function traceOf(log: TraceLog, options: TraceOptions): Promise<TraceAnswer> {
  const trace = await readTrace(log, options)
  const { planId, complete, steps } = trace
  return { planId, timeline: renderTrace(trace), complete, stepCount: steps.length }
}

/**
 * Reads the trace of a plan from the log.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { harnessConcepts, readTrace } from '@agentm/harness'
 *
 * const { log } = createInMemoryStore({ concepts: harnessConcepts })
 * const { events } = await readTrace(log, { planId: 'no-such-plan', owner: 'ada' })
 * console.log(events.length) // 0
 * ```
 */
export async function readTrace(log: TraceLog, { planId, owner }: TraceOptions): Promise<Trace> {
  const id = composeId('v1:harness:plan', planId)
  return assembleTrace(id, await planVersions(log, { id, owner }))
}

/** All versions of the plan, its steps, what functions recorded, and the observations, up to one position of the log. */
export async function planVersions(
  log: TraceLog,
  { id, owner, pageSize = 10_000 }: { readonly id: string; readonly owner: string; readonly pageSize?: number },
): Promise<readonly Node[]> {
  const until = await log.position()
  const plan = await allVersions(log, { owner, limit: pageSize, ids: [id] })
  // The owner is checked first, so that rows of another owner's plan are never read.
  if (plan.length === 0) return []
  const steps = await allVersions(log, { owner, limit: pageSize, concepts: ['v1:harness:step'], parent: id })
  const about = { concepts: ['v1:harness:observation'], related: { field: 'planId', to: id } }
  const observed = await allVersions(log, { owner, limit: pageSize, ...about })
  const entries = await entriesOf(log, { owner, limit: pageSize }, steps)
  return [...plan, ...steps, ...entries, ...observed].filter(({ seq }) => seq <= until)
}

async function entriesOf(log: TraceLog, query: ScanQuery, steps: readonly Node[]): Promise<readonly Node[]> {
  const functions = steps.filter(({ payload }) => isFunctionKind(String(payload['kind'])))
  const parent = [...new Set(functions.map(({ id }) => id))]
  return parent.length === 0 ? [] : allVersions(log, { ...query, concepts: ['v1:harness:entry'], parent })
}

async function allVersions(log: TraceLog, query: ScanQuery): Promise<readonly Node[]> {
  const nodes: Node[] = []
  let cursor: string | undefined
  do {
    const page = await log.scan({ ...query, versions: 'all', ...(cursor !== undefined && { cursor }) })
    nodes.push(...page.nodes)
    cursor = page.cursor
  } while (cursor !== undefined)
  return nodes
}
