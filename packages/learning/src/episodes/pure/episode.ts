/** An episode in the form that consolidation reads. It is data to learn from; instructions in it are not followed. */
import { type Head, redactSecrets } from '@agentm/nodes'
import { isRoutineEpisode } from '@agentm/memory/ranking'

export const episodeConcepts = ['v1:harness:observation', 'v1:harness:step', 'v1:harness:plan'] as const

/** The actor that writes beliefs and cursors. Its own writes are not episodes. */
export const consolidationActor = 'consolidation'

export interface Episode {
  readonly id: string
  readonly seq: number
  readonly partition: string
  /** `plan`, `step`, or the kind of the observation. */
  readonly kind: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly content: string
  /** Absent if it belongs to no plan. */
  readonly planId: string | undefined
  /** Whether it only says how a step or plan ended, or logs the progress of a program. Nothing is learned from it. */
  readonly isRoutine: boolean
  /**
   * `hearsay` is text that tools brought in from elsewhere. It can support what an agent or person said, but nothing is learned
   * from it alone.
   */
  readonly voice: 'own' | 'hearsay'
}

// A longer text is a document rather than an event. Its beginning tells what it is about.
const mostCharacters = 4000

/** The episode of a head; `undefined` if it has not ended, was erased, has no text, or was written by consolidation. */
export function episodeOf(head: Head): Episode | undefined {
  if (head.redacted || head.createdBy === consolidationActor) return undefined
  const said = saidBy(head)
  const content = said === undefined ? '' : cut(redactSecrets(said.content.trim()))
  if (said === undefined || content === '') return undefined
  const { id, seq, partition, createdAt } = head
  return { id, seq, partition, createdAt, ...said, content }
}

type Said = Pick<Episode, 'kind' | 'content' | 'voice' | 'planId' | 'isRoutine'>

function saidBy({ concept, id, payload, status }: Head): Said | undefined {
  const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
  const planId = text('planId') || undefined
  if (concept === 'v1:harness:observation') {
    const kind = text('kind')
    const isOwn = (kind === 'note' || kind === 'decision') && !isOfTool(payload['data'])
    const content = text('content').replace(/^respondToUser:\s*/, '')
    return { kind, content, planId, isRoutine: isRoutineEpisode(payload), voice: isOwn ? 'own' : 'hearsay' }
  }
  const ending = endings[status ?? '']
  // A step that will be retried has not ended.
  if (ending === undefined || (status === 'failed' && typeof payload['retryAt'] === 'number')) return undefined
  const isPlan = concept === 'v1:harness:plan'
  const content = `${ending}: ${text(isPlan ? 'goal' : 'title')}`
  return { kind: isPlan ? 'plan' : 'step', content, planId: isPlan ? id : planId, isRoutine: true, voice: 'own' }
}

function isOfTool(data: unknown): boolean {
  return typeof data === 'object' && data !== null && Reflect.get(data, 'toolName') !== undefined
}

const endings: Readonly<Record<string, string>> = { done: 'Done', failed: 'Failed', cancelled: 'Cancelled' }

function cut(text: string): string {
  return text.length <= mostCharacters ? text : text.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, '')
}
