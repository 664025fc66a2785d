/** A turn as the log keeps it. */
import type { Node } from '@agentm/nodes'
import type { SessionTurn } from '../session-turn.ts'

/** A turn of an agent session with its place in the log. */
export interface KeptTurn {
  readonly id: string
  readonly partition: string
  /** When it began; when it was captured if the host wrote no time. Epoch milliseconds. */
  readonly at: number
  readonly turn: SessionTurn
}

/** `undefined` if its content was deleted. */
export function keptTurn({ id, partition, payload, redacted, createdAt }: Node): KeptTurn | undefined {
  if (redacted) return undefined
  // The log's own schema checked it when it was written.
  const turn = payload as unknown as SessionTurn
  return { id, partition, at: Date.parse(turn.startedAt ?? '') || createdAt, turn }
}
