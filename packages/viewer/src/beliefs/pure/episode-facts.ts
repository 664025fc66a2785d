/** What happened, from which a belief was learned: an event of a plan, a step, a plan, or a turn of an agent session. */
import { type Node, redactSecrets } from '@agentm/nodes'
import type { BeliefEpisode } from '../../contract/beliefs.ts'
import { numberIn, textIn, timeIn } from '../../pure/fields.ts'
import { short } from '../../pure/short.ts'
import { shownText } from '../../pure/shown-value.ts'

/** The plan and its goal are added by whoever can look them up. */
export interface EpisodeFacts extends Omit<BeliefEpisode, 'plan'> {
  readonly planId?: string
}

const mostShown = 1_200

export function episodeFacts(node: Node | undefined, id: string): EpisodeFacts {
  if (node === undefined || node.redacted) return { id: short(id) }
  const { payload, concept, createdAt } = node
  const shown = (name: string) => shownText(redactSecrets(textIn(payload, name) ?? ''), mostShown)
  const planId = textIn(payload, 'planId')
  const inPlan = planId === undefined ? {} : { planId }
  switch (concept) {
    case 'v1:harness:observation': {
      const step = textIn(payload, 'stepId')
      const text = shown('content').replace(/^respondToUser:\s*/, '')
      const kind = textIn(payload, 'kind') ?? 'note'
      return {
        id: short(id),
        kind,
        at: createdAt,
        text,
        ...inPlan,
        ...(step === undefined ? {} : { step: short(step) }),
      }
    }
    case 'v1:harness:step':
      return { id: short(id), kind: 'step', at: createdAt, text: shown('title'), ...inPlan, step: short(id) }
    case 'v1:harness:plan':
      return { id: short(id), kind: 'plan', at: createdAt, text: shown('goal'), planId: id }
    case 'v1:sessions:turn':
      return turnFacts(node, shown('asked'))
    default:
      return { id: short(id), kind: concept, at: createdAt }
  }
}

function turnFacts({ id, payload, createdAt }: Node, text: string): EpisodeFacts {
  const records: unknown = payload['records']
  const [first, last]: readonly unknown[] = Array.isArray(records) ? records : []
  return {
    id: short(id),
    kind: 'session',
    at: timeIn(payload, 'startedAt') ?? createdAt,
    text,
    session: {
      host: textIn(payload, 'host') ?? '',
      id: textIn(payload, 'session') ?? '',
      turn: numberIn(payload, 'turn') ?? 0,
      records: [Number(first ?? 0), Number(last ?? 0)],
    },
  }
}
