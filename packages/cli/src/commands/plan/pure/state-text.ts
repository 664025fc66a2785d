/** A plan as a person reads it: one line, then a line for each step that has not ended, with the command that helps. */
import { answersOf, waitText } from '@agentm/workspace/health'
import type { FailedRow, PlanState, Todo, WaitingRow } from '../plan-state.ts'
import { durationText } from './duration-text.ts'
import { shortId } from './short-id.ts'

export function stateText(
  { planId, goal, status, paused, pausedBy = {}, help, since, errorMessage, steps, waiting, lost, failed }: PlanState,
  now: number,
): string {
  const total = Object.values(steps).reduce((sum, count) => sum + count, 0)
  return [
    `${shortId(planId)}  ${paused ? `${status}, paused` : status}  ${steps['done'] ?? 0} of ${total} done, ${durationText(now - since)} ago  ${oneLine(goal)}`,
    ...(paused ? [`  paused${saidBy(pausedBy)}\n            ${help}`] : []),
    ...(help === undefined || paused
      ? []
      : [`  all steps have ended; a worker has to end the plan\n            ${help}`]),
    ...(errorMessage === undefined ? [] : [`  ${oneLine(errorMessage)}`]),
    ...(lost === undefined ? [] : [lostText(lost)]),
    ...failed.map((row) => failedText(row)),
    ...waiting.map((row) => waitingText(row, now)),
  ].join('\n')
}

function saidBy({ actor, reason }: NonNullable<PlanState['pausedBy']>): string {
  return `${actor === undefined ? '' : ` by ${oneLine(actor)}`}${reason === undefined ? '' : `: ${oneLine(reason)}`}`
}

function failedText({ title, errorMessage, deadLetter, help }: FailedRow): string {
  return `  ${deadLetter ? 'dead-lettered' : 'failed   '} ${oneLine(title)}: ${oneLine(errorMessage)}\n            ${help}`
}

function waitingText(
  { status, title, waitsFor, since, until, runner, ask, alsoAsks = [], help, attempt, todo = [] }: WaitingRow,
  now: number,
): string {
  const does =
    runner === undefined ? `waits for ${oneLine(waitText(waitsFor))}` : `runs on ${runner.host}, process ${runner.pid}`
  const what = ask === undefined || waitsFor.for === 'answer' ? does : `${does}, and asks: ${oneLine(ask.text)}`
  const answers = answersOf(ask?.allowed)
  const times = `for ${durationText(now - since)}${until === undefined ? '' : `, until ${momentText(until)}`}`
  const again = attempt === 0 ? '' : `, attempt ${attempt + 1}`
  const line = `  ${status.padEnd(9)} ${oneLine(title)}: ${what}${answers}, ${times}${again}`
  const others = alsoAsks.flatMap(({ questionId, text, allowed }) => [
    `also asks: ${oneLine(text)}${answersOf(allowed)}`,
    ...(help === undefined ? [] : [`${help} --question ${questionId}`]),
  ])
  return [line, ...(help === undefined ? [] : [help]), ...others, ...todo.map(todoText)].join('\n            ')
}

const marks = { open: '[ ]', doing: '[>]', done: '[x]' } as const

function todoText({ text, status }: Todo[number]): string {
  return `${marks[status]} ${oneLine(text)}`
}

function lostText({ tokens, costMicros }: NonNullable<PlanState['lost']>): string {
  const most = costMicros > 0 ? `$${costMicros / 1e6}` : `${tokens.toLocaleString('en')} tokens`
  return `  up to ${most} may have been charged for replies that did not arrive; it counts as used`
}

/** A time that no calendar has must not hide all other rows. */
export function momentText(at: number): string {
  return Math.abs(at) <= 8.64e15 ? new Date(at).toISOString() : 'an impossible time'
}

const unsafe = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** On one line, without control characters: recorded text must not control a terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(unsafe, ' ').trim()
}
