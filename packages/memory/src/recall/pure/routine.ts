/**
 * Lines that programs write to log their progress: which agent got a step, that a step ended, that a worker waited. They repeat the
 * words of every goal and are of no use later, so they are returned only on request.
 */
import type { Payload } from '@agentm/nodes'

/** Checks the payload of an observation. */
export function isRoutineEpisode({ kind, data, content }: Payload): boolean {
  if ((kind === 'note' || kind === 'decision') && isRoutineStatement(String(content))) return true
  if (typeof data !== 'object' || data === null) return false
  const has = (name: string) => Reflect.get(data, name) !== undefined
  const choice: unknown = Reflect.get(data, 'choice')
  if (kind === 'decision')
    return has('assignedAgent') || has('compared') || has('steps') || ownChoices.has(String(choice))
  if (kind !== 'note') return false
  // A note with the answer itself is a remark. The agent loop records only that there was an answer.
  const isAnswer = Reflect.get(data, 'reason') === 'respondToUser' && !onlyAnswered.test(String(content))
  return (has('iterations') && !isAnswer) || has('server') || ['nudge', 'dropped', 'missing', 'fenced'].some(has)
}

/** Whether the remark quotes the output of another program, although it is recorded as an agent's. */
export function isQuoted({ kind, data }: Payload): boolean {
  return kind === 'note' && typeof data === 'object' && data !== null && Reflect.get(data, 'server') !== undefined
}

const onlyAnswered = /^(?:(?:respondToUser|text_only): *)?the model answered(?: without calling anything)?\.?$/i

const ownChoices = new Set(['replan', 'give_up', 'halt_plan'])

/** Whether a text of one line only says how a step or a loop ended, or who got a step. */
export function isRoutineStatement(text: string): boolean {
  const line = text.trim()
  return !line.includes('\n') && (ended.test(line) || assigned.test(line) || onlyAnswered.test(line))
}

const ended = /^(?:Done|Failed|Cancelled): /
const assigned =
  /^(?:Assigned|Assignment|Decompose|Route): |^(?:decompose: |route ")|^(?:Step|Task) \S+ (?:was |is )?assigned to /
