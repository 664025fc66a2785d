/** Beliefs in plain words. */
import type { BeliefEpisode, BeliefRow, BeliefVersion } from '../../../src/contract/beliefs.ts'

export function confidenceWords(confidence: number): string {
  if (confidence >= 0.995) return 'certain'
  if (confidence >= 0.8) return 'very likely'
  if (confidence >= 0.6) return 'likely'
  return confidence >= 0.35 ? 'unsure' : 'fading'
}

const pruned: ReadonlyMap<string, string> = new Map(
  Object.entries({
    decay: 'forgotten, because nothing confirmed it any more',
    operator: 'forgotten by a person; it is not learned again',
    superseded: 'replaced by a newer belief',
    agent: 'forgotten by an agent',
    accepted: 'accepted by a person; a note says it now',
  }),
)

/** What stands with it; empty for an active belief. */
export function stateWords({ status, prunedBy, isUnconfirmed }: BeliefRow): string {
  if (status === 'pruned') return pruned.get(prunedBy ?? '') ?? 'forgotten'
  return isUnconfirmed ? 'learned from agent sessions, and waits for your decision' : ''
}

const changes: Readonly<Record<BeliefVersion['what'], string>> = {
  learned: 'Learned',
  strengthened: 'Strengthened by new episodes',
  confirmed: 'Confirmed by a person',
  'worded anew': 'Worded anew by a person',
  faded: 'Faded: nothing confirmed it',
  forgotten: 'Forgotten',
  replaced: 'Replaced',
  restored: 'Restored',
  changed: 'Changed',
}

export function changeWords({ what }: Pick<BeliefVersion, 'what'>): string {
  return changes[what]
}

const kinds: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tool_result: 'A tool answered',
    error: 'Something failed',
    note: 'An agent remarked',
    decision: 'An agent decided',
    step: 'A step ended',
    plan: 'A plan ended',
    session: 'You told an agent',
  }),
)

export function episodeWords({ kind, session }: BeliefEpisode): string {
  if (kind === undefined) return 'Its text was deleted'
  return session !== undefined && session.turn === 0 ? 'An agent session' : (kinds.get(kind) ?? kind)
}
