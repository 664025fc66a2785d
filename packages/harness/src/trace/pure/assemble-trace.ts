/**
 * What happened to one plan, in order: each version of the plan and of its steps is one event, and so is each
 * observation, and each thing that a durable function asked for. The log's sequence decides the order; clocks only say when.
 */
import type { Node } from '@agentm/nodes'
import { isPlanOver } from '../../pure/plan-transitions.ts'

export interface TraceEvent {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly kind: 'plan' | 'step' | 'entry' | 'observation'
  readonly nodeId: string
  /** Empty if the event belongs to the plan as a whole. */
  readonly stepId: string
  readonly status: string
  readonly observationKind: string
  /** The mutation that wrote it. */
  readonly mutation: string
  /** The component that wrote it. */
  readonly actor: string
  /** Goal, title or content. */
  readonly content: string
  /**
   * Why the plan or step failed, ended, was paused, resumed or skipped: the cause if it was not the step itself, and the reason
   * that was given.
   */
  readonly why: string
  readonly toolName: string
  /** Its content was permanently deleted. */
  readonly erased: boolean
  readonly data: Readonly<Record<string, unknown>>
}

export interface TraceStep {
  readonly id: string
  readonly title: string
  readonly finalStatus: string
  /** Each status that it reached, in order. */
  readonly transitions: readonly string[]
  readonly observations: number
}

/** What happened to one plan, in the order of the log. */
export interface Trace {
  readonly planId: string
  readonly goal: string
  readonly finalStatus: string
  /** The plan has ended. */
  readonly complete: boolean
  readonly events: readonly TraceEvent[]
  /** In the order of their first event. */
  readonly steps: readonly TraceStep[]
}

/**
 * Works with any versions. A version that cannot be read gives empty fields instead of an error.
 *
 * @example
 * ```ts
 * import { assembleTrace } from '@agentm/harness'
 *
 * console.log(assembleTrace('v1:harness:plan:none', []).events.length) // 0
 * ```
 */
export function assembleTrace(planId: string, versions: readonly Node[]): Trace {
  const events = versions
    .map((node) => eventOf(node))
    .filter((event) => event !== undefined)
    .toSorted((a, b) => a.seq - b.seq)
  const plans = events.filter(({ kind }) => kind === 'plan')
  const finalStatus = lastSaid(plans.map(({ status }) => status))
  return {
    planId,
    goal: lastSaid(plans.map(({ content }) => content)),
    finalStatus,
    complete: finalStatus !== '' && isPlanOver(finalStatus),
    events,
    steps: stepsIn(planId, events),
  }
}

/** Steps in the order in which they first ran. */
export function dispatchOrder({ events }: Trace): readonly string[] {
  const started = events.filter(({ kind, status }) => kind === 'step' && status === 'running')
  return [...new Set(started.map(({ nodeId }) => nodeId))]
}

const kinds: Readonly<Record<string, TraceEvent['kind']>> = {
  'v1:harness:plan': 'plan',
  'v1:harness:step': 'step',
  'v1:harness:entry': 'entry',
  'v1:harness:observation': 'observation',
}

function eventOf(node: Node): TraceEvent | undefined {
  const kind = kinds[node.concept]
  if (kind === undefined) return undefined
  const payload = record(node.payload)
  const data = record(payload['data'])
  return {
    seq: node.seq,
    at: node.createdAt,
    kind,
    nodeId: node.id,
    stepId: kind === 'step' ? node.id : kind === 'plan' ? '' : text(payload['stepId']),
    status: kind === 'observation' ? '' : text(payload['status']) || (node.status ?? ''),
    observationKind: kind === 'observation' ? text(payload['kind']) : '',
    mutation: node.provenanceMutation,
    actor: node.createdBy,
    content: kind === 'entry' ? askedFor(payload) : text(payload[contentField[kind]]),
    why: kind === 'observation' ? '' : whyOf(payload, node.provenanceMutation),
    toolName: text(data['toolName']),
    erased: node.redacted,
    data,
  }
}

/** Such as `step "notes"`. */
function askedFor(entry: Readonly<Record<string, unknown>>): string {
  const name = text(entry['name'])
  return name === '' ? text(entry['op']) : `${text(entry['op'])} "${name}"`
}

/** A reason that was given by hand stays in later versions, so it is shown only for the change it was given for. */
const byHand = ['pauseHarnessPlan', 'resumeHarnessPlan', 'skipHarnessStep']

/** The writes of a fork, and of the steps that it carries over as done. */
const carriedMutations = ['forkHarnessPlan', 'carryHarnessStep']

/** Such as `from plan ship-1`. */
function originOf(payload: Readonly<Record<string, unknown>>): string {
  const planId = text(payload['forkedFrom']) || text(record(payload['carriedFrom'])['planId'])
  return planId === '' ? '' : `from plan ${planId.slice(planId.lastIndexOf(':') + 1)}`
}

function whyOf(payload: Readonly<Record<string, unknown>>, mutation: string): string {
  if (byHand.includes(mutation)) return text(payload['reason'])
  if (carriedMutations.includes(mutation)) return originOf(payload)
  if (payload['status'] === 'waiting' || payload['status'] === 'asking') return waitOf(payload)
  if (payload['status'] === 'blocked') return waitOf(record(payload['waitsFor']))
  if (payload['status'] !== 'failed' && payload['status'] !== 'cancelled') return ''
  const { cause, message } = record(payload['failure'])
  const said = text(message) || text(payload['errorMessage'])
  const known = text(cause)
  return known === '' || known === 'step' || said.startsWith(known) ? said : `${known}: ${said}`
}

/** A question has an observation of its own, and so has the end of a plan or step that is waited for; neither is shown here. */
function waitOf({ until, message }: Readonly<Record<string, unknown>>): string {
  if (typeof until !== 'number' || Math.abs(until) > 8.64e15) return ''
  const moment = `until ${new Date(until).toISOString().slice(0, 19)}Z`
  return text(message) === '' ? moment : `${moment}: ${text(message)}`
}

const contentField = { plan: 'goal', step: 'title', observation: 'content' } as const

/** An observation of the plan as a whole belongs to no step. */
function stepsIn(planId: string, events: readonly TraceEvent[]): readonly TraceStep[] {
  const byId = new Map<string, TraceEvent[]>()
  for (const event of events) {
    if (event.stepId === '' || event.stepId === planId) continue
    const own = byId.get(event.stepId)
    if (own === undefined) byId.set(event.stepId, [event])
    else own.push(event)
  }
  return [...byId].map(([id, own]) => {
    const versions = own.filter(({ kind }) => kind === 'step')
    const statuses = versions.map(({ status }) => status).filter((status) => status !== '')
    return {
      id,
      title: lastSaid(versions.map(({ content }) => content)),
      finalStatus: statuses.at(-1) ?? '',
      transitions: statuses.filter((status, i) => status !== statuses[i - 1]),
      observations: own.filter(({ kind }) => kind === 'observation').length,
    }
  })
}

function lastSaid(texts: readonly string[]): string {
  return texts.findLast((one) => one !== '') ?? ''
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
