import { isSameTry } from '../../checks/pure/is-same-try.ts'
import type { Step } from '../../step.ts'
import type { Turn } from '../../turn.ts'

/** Whether a run continues the conversation that a turn belongs to. Another task begins a new conversation. */
export function goesOn(turn: Turn, step: Step, opening: string): boolean {
  return turn.opening === opening && isSameTry(turn, step)
}
