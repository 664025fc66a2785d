/** What to write of a turn: nothing if the log has the same, or one that reaches further, or one that was deleted. */
import type { Draft, Head } from '@agentm/nodes'
import type { SessionTurn } from '../session-turn.ts'

type Change = Pick<Draft, 'payload' | 'unset'>

export function changeOf(before: Head | undefined, turn: SessionTurn): Change | undefined {
  if (before === undefined) return { payload: turn }
  if (before.redacted) return undefined
  const { provenanceMutation: _, ...kept } = before.payload
  // A copy of the session has the same prompt. The first one that was read keeps the turn.
  if (kept['session'] !== turn.session) return undefined
  const [reached, reaches] = [lastOf(kept['records']), lastOf(turn.records)]
  const isOlder = reached > reaches || (reached === reaches && turn.isOpen === true && kept['isOpen'] !== true)
  if (isOlder) return undefined
  if (canonical(kept) === canonical(turn)) return undefined
  const unset = Object.keys(kept).filter((field) => !Object.hasOwn(turn, field))
  return { payload: turn, ...(unset.length === 0 ? {} : { unset }) }
}

function lastOf(records: unknown): number {
  return Array.isArray(records) ? Number(records[1]) : 0
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}
