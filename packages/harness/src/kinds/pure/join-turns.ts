import type { Checkpoint, Message } from '@agentm/agent-loop'
import type { Turn } from '../../turn.ts'

/** The checkpoint that a conversation's turns amount to. Written by this package alone, and read as it was written. */
export function joinTurns(turns: readonly Turn[]): Checkpoint {
  let messages: readonly Message[] = []
  for (const { keeps, messages: more } of turns)
    messages = [...messages.slice(0, keeps), ...(more as readonly unknown[] as readonly Message[])]
  return { ...(turns.at(-1)?.state as unknown as Omit<Checkpoint, 'messages'>), messages }
}

/** How many messages at the start are the same ones. */
export function sharedStart(before: readonly Message[], after: readonly Message[]): number {
  const differs = after.findIndex((message, i) => message !== before[i])
  return differs === -1 ? after.length : differs
}
