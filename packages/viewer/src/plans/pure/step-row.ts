/** A step as the page shows it, kept up to date version by version. */
import type { Node } from '@agentm/nodes'
import type { Segment, SegmentState, StepRow } from '../../contract/plans.ts'
import { fieldsOf, listIn, textIn } from '../../pure/fields.ts'
import { short } from '../../pure/short.ts'

/** The row after one more version. Versions come in their order. */
export function stepRow(before: StepRow | undefined, node: Node): StepRow {
  const { payload } = node
  const status = node.status ?? textIn(payload, 'status') ?? ''
  const attempt = typeof payload['attempt'] === 'number' ? payload['attempt'] : (before?.attempt ?? 0)
  const waitsFor = textIn(fieldsOf(payload['waitsFor']), 'for')
  const errorMessage = status === 'failed' ? textIn(payload, 'errorMessage') : undefined
  const agent = textIn(payload, 'assignedAgent')
  const carriedFrom = originIn(payload)
  return {
    id: short(node.id),
    title: textIn(payload, 'title') ?? before?.title ?? '',
    kind: textIn(payload, 'kind') ?? before?.kind ?? 'agent',
    status,
    attempt,
    dependsOn: node.redacted ? (before?.dependsOn ?? []) : listIn(payload, 'dependsOn').map(short),
    segments: nextSegments(before?.segments ?? [], { node, status, attempt }),
    ...(agent !== undefined && { agent }),
    ...(waitsFor !== undefined && status === 'blocked' && { waitsFor }),
    ...(errorMessage !== undefined && { errorMessage }),
    ...(payload['deadLetter'] === true && { deadLetter: true as const }),
    ...(node.redacted && { erased: true as const }),
    ...(carriedFrom && { carriedFrom }),
  }
}

function originIn(payload: Node['payload']): StepRow['carriedFrom'] {
  const from = fieldsOf(payload['carriedFrom'])
  const [planId, stepId] = [textIn(from, 'planId'), textIn(from, 'stepId')]
  return planId === undefined || stepId === undefined ? undefined : { planId: short(planId), stepId: short(stepId) }
}

interface Now {
  readonly node: Node
  readonly status: string
  readonly attempt: number
}

/** A version that changes neither what the step does nor its attempt belongs to the span before. */
function nextSegments(before: readonly Segment[], { node, status, attempt }: Now): readonly Segment[] {
  const state = stateOf(status, node)
  const last = before.at(-1)
  const isSame = last !== undefined && last[2] === null && last[0] === state && last[3] === attempt
  if (isSame || (last === undefined && state === undefined)) return before
  const at = node.createdAt
  const ended = last === undefined || last[2] !== null ? before : [...before.slice(0, -1), close(last, node, status)]
  return state === undefined ? ended : [...ended, [state, at, null, attempt]]
}

function close([state, from, , attempt]: Segment, node: Node, status: string): Segment {
  return [state === 'running' ? endOf(status, node) : state, from, node.createdAt, attempt]
}

/** Why a step failed although nothing is wrong with it: its worker did not come to the end. */
const lost: readonly (string | undefined)[] = ['lease', 'vanished', 'shutdown']

/** A running step that becomes ready again was lost with its worker, or given back by it. */
function endOf(status: string, { payload }: Node): SegmentState {
  if (status === 'done') return 'ran-done'
  if (status === 'failed')
    return lost.includes(textIn(fieldsOf(payload['failure']), 'cause')) ? 'ran-lost' : 'ran-failed'
  return status === 'blocked' ? 'ran-paused' : 'ran-lost'
}

/** `undefined` for a step that has ended. */
function stateOf(status: string, { payload }: Node): SegmentState | undefined {
  if (status === 'failed') return typeof payload['retryAt'] === 'number' ? 'backoff' : undefined
  return status === 'pending' || status === 'ready' || status === 'running' || status === 'blocked' ? status : undefined
}
