/** What happened, as consolidation reads it: data to learn from, and never an instruction. */
import { type Head, redactSecrets } from '@agentm/nodes'
import { isRoutineEpisode } from '@agentm/memory/ranking'

export const episodeConcepts = ['v1:harness:observation', 'v1:harness:step', 'v1:harness:plan'] as const

/** Who writes beliefs and cursors. What it writes itself is nothing that happened. */
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
  /** Absent where it belongs to no plan. */
  readonly planId: string | undefined
  /** How a step or a plan ended, or a line that programs write so that a run can be followed: nothing to learn from. */
  readonly isRoutine: boolean
  /**
   * What tools brought in from elsewhere is hearsay: it may support what somebody here said, and is nothing to learn by
   * itself.
   */
  readonly voice: 'own' | 'hearsay'
}

// Beyond this a text is a document, not an event; what it is about stands at its head.
const mostCharacters = 4000

/** The episode a head is; nothing for what is not over yet, was erased, says nothing, or was written by consolidation. */
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
  // A step that is tried again is not over.
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
