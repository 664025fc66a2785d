/**
 * Lines that programs write so that a run can be followed: who was given a step, that one ended, that a worker waited. They
 * repeat the words of every goal, and say nothing that somebody would want to know again. Returned only on request.
 */
import type { Payload } from '@agentm/nodes'

/** Of an observation's payload. */
export function isRoutineEpisode({ kind, data }: Payload): boolean {
  if (typeof data !== 'object' || data === null) return false
  const has = (name: string) => Reflect.get(data, name) !== undefined
  const choice: unknown = Reflect.get(data, 'choice')
  if (kind === 'decision')
    return has('assignedAgent') || has('compared') || has('steps') || ownChoices.has(String(choice))
  if (kind !== 'note') return false
  const isEndWithoutAnswer = has('iterations') && Reflect.get(data, 'reason') !== 'respondToUser'
  return isEndWithoutAnswer || has('server') || ['nudge', 'dropped', 'missing', 'fenced'].some(has)
}

/** What a program noted of what another one said: an agent's remark in name only. */
export function isQuoted({ kind, data }: Payload): boolean {
  return kind === 'note' && typeof data === 'object' && data !== null && Reflect.get(data, 'server') !== undefined
}

const ownChoices = new Set(['replan', 'give_up', 'halt_plan'])

/** A belief of an older version that says only how a step ended. */
export function isRoutineStatement(text: string): boolean {
  return /^(?:Done|Failed|Cancelled): /.test(text)
}
