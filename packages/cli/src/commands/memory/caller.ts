/** Who calls a command that changes notes: a person where somebody is at the terminal, else nobody knows. */
import { isMemoryError } from '@agentm/memory'
import type { Call } from '../../command.ts'
import { personSaysYes } from '../../person-says-yes.ts'

export interface Caller {
  readonly by?: 'person'
}

export function callerOf({ terminal, json }: Pick<Call, 'terminal' | 'json'>): Caller {
  return terminal.isInteractive && !json ? { by: 'person' } : {}
}

/** Does what programs may do. Where a person is needed, and one is there who says yes, it is done for them. */
export async function orForPerson<T>(
  call: Pick<Call, 'terminal' | 'json'>,
  question: string,
  act: (caller: Caller) => Promise<T>,
): Promise<T> {
  try {
    return await act({})
  } catch (error) {
    if (!isMemoryError(error, 'PERSON_NEEDED') || callerOf(call).by === undefined) throw error
    if (!(await personSaysYes(call.terminal, question))) throw error
    return act({ by: 'person' })
  }
}
