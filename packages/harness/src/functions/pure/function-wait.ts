/** What a run of a function waits for as a whole: the first of all the things its code waits for. */
import type { FunctionWait } from '../../step.ts'
import { questionIdOf } from './settle-wait.ts'
import type { Entry } from '../entry.ts'

/** A wait of the function, as it is recorded or will be. */
export type OpenWait = Pick<Entry, 'position' | 'op' | 'name' | 'until' | 'retryAt'> & {
  readonly allowed?: readonly string[] | undefined
  readonly mayAnswer?: 'anyone' | undefined
  readonly childPlanId?: string | undefined
  /** The outcome of an effectful step is unknown, and a person is asked. */
  readonly outcome?: { readonly id: string; readonly text: string; readonly allowed: readonly string[] }
}

export function functionWait(waits: readonly OpenWait[], heard: number): FunctionWait {
  const times = waits.flatMap(({ until, retryAt }) => [until, retryAt]).filter((at) => at !== undefined)
  const questions = waits.flatMap(questionOf)
  const plans = waits.flatMap(({ childPlanId }) => childPlanId ?? [])
  const signals = [...new Set(waits.filter(({ op }) => op === 'signal').map(({ name }) => name))]
  return {
    for: 'function',
    heard,
    ...(times.length > 0 && { until: Math.min(...times) }),
    ...(questions.length > 0 && { questions }),
    ...(plans.length > 0 && { plans }),
    ...(signals.length > 0 && { signals }),
  }
}

function questionOf(wait: OpenWait): NonNullable<FunctionWait['questions']> {
  if (wait.outcome !== undefined) return [{ ...wait.outcome, allowed: [...wait.outcome.allowed] }]
  if (wait.op !== 'ask') return []
  const { position, name, allowed, mayAnswer, until } = wait
  return [
    {
      id: questionIdOf(position),
      text: name,
      ...(allowed && { allowed: [...allowed] }),
      ...(mayAnswer && { mayAnswer }),
      ...(until !== undefined && { deadline: until }),
    },
  ]
}
