/** What a run of a function waits for as a whole: the first of all the things its code waits for. Its questions are entries of their own. */
import type { Question } from '@agentm/agent-loop'
import type { FunctionWait } from '../../step.ts'
import type { Entry } from '../entry.ts'
import { questionIdOf } from './question-id.ts'

/** A wait of the function, as it is recorded or will be. */
export type OpenWait = Pick<Entry, 'position' | 'op' | 'name' | 'until' | 'retryAt'> & {
  readonly allowed?: readonly string[] | undefined
  readonly mayAnswer?: 'anyone' | undefined
  readonly childPlanId?: string | undefined
}

export function functionWait(waits: readonly OpenWait[], heard: number): FunctionWait {
  const times = waits.flatMap(({ until, retryAt }) => [until, retryAt]).filter((at) => at !== undefined)
  const plans = waits.flatMap(({ childPlanId }) => childPlanId ?? [])
  const signals = [...new Set(waits.filter(({ op }) => op === 'signal').map(({ name }) => name))]
  return {
    for: 'function',
    heard,
    ...(times.length > 0 && { until: Math.min(...times) }),
    ...(plans.length > 0 && { plans }),
    ...(signals.length > 0 && { signals }),
  }
}

/** What a person is asked by `run.ask`. */
export function askedBy({ position, name, allowed, mayAnswer, until }: OpenWait): Question {
  return {
    id: questionIdOf(position),
    text: name,
    ...(allowed && { allowed: [...allowed] }),
    ...(mayAnswer && { mayAnswer }),
    ...(until !== undefined && { deadline: until }),
  }
}
