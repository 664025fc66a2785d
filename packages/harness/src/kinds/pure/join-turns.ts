import type { Checkpoint, Message } from '@agentm/agent-loop'
import type { Turn } from '../../turn.ts'

/** Joins the turns of a conversation to one checkpoint. The turns are not checked, because only this package writes them. */
export function joinTurns(turns: readonly Turn[]): Checkpoint {
  let messages: readonly Message[] = []
  for (const { keeps, messages: more } of turns)
    messages = [...messages.slice(0, keeps), ...(more as readonly unknown[] as readonly Message[])]
  return { ...(turns.at(-1)?.state as unknown as Omit<Checkpoint, 'messages'>), messages }
}

/** How many messages at the start of both lists are equal. */
export function sharedStart(before: readonly Message[], after: readonly Message[]): number {
  const differs = after.findIndex((message, i) => message !== before[i])
  return differs === -1 ? after.length : differs
}
