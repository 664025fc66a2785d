/** How an attempt ended, by the version of the step that ended it. */
import type { Node } from '@agentm/nodes'
import { type FailureFacts, stepFacts } from './node-facts.ts'

export type Ended = 'done' | 'failed' | 'waiting' | 'released' | 'lost' | 'cancelled'

export interface AttemptEnd {
  readonly ended: Ended
  readonly error: Fault | undefined
}

/** An error, in words that are safe to export. */
export interface Fault {
  /** A word of few possible ones. */
  readonly type: string
  /** `undefined` if it may hold text of a person, a model or a program. */
  readonly message: string | undefined
}

const lost: readonly string[] = ['lease', 'vanished', 'unknown']

export function attemptEnd(node: Pick<Node, 'status' | 'payload'>, content: boolean): AttemptEnd {
  if (node.status === 'done') return { ended: 'done', error: undefined }
  if (node.status !== 'failed') return { ended: 'waiting', error: undefined }
  const { failure, deadLetter } = stepFacts(node)
  if (failure === undefined) return { ended: 'failed', error: { type: '_OTHER', message: undefined } }
  return { ended: endedBy(failure), error: faultOf(failure, content || (isOwnText(failure) && !deadLetter)) }
}

function endedBy({ cause }: FailureFacts): Ended {
  if (cause === 'shutdown') return 'released'
  if (cause === 'cancelled' || cause === 'halted') return 'cancelled'
  return lost.includes(cause) ? 'lost' : 'failed'
}

/** These messages are fixed texts of the harness. */
function isOwnText({ cause }: FailureFacts): boolean {
  return cause === 'lease' || cause === 'vanished' || cause === 'shutdown'
}

function faultOf({ code, cause, message }: FailureFacts, says: boolean): Fault {
  return { type: errorType(code ?? cause), message: says ? message : undefined }
}

/** Metrics are kept by it, so it must be a word. */
export function errorType(word: string): string {
  return /^[\w.:-]{1,64}$/.test(word) ? word : '_OTHER'
}
