// @ts-check
/** What a coding agent used, waited for and left, and what of it cannot be explained. */
import { perReply } from './client-agent.mjs'

/** @typedef {import('./run-task.mjs').Outcome} Outcome */

/** @param {readonly Outcome[]} outcomes */
export function printMeasured(outcomes) {
  const sum = (/** @type {(outcome: Outcome) => number} */ of) => outcomes.reduce((all, each) => all + of(each), 0)
  const killed = sum(({ clientKills }) => clientKills)
  const exact = outcomes.filter((outcome) => lostReplies(outcome) === 0).length
  console.log(
    [
      `  kills of the coding agent: ${killed}; of its worker: ${sum(({ kills }) => kills) - killed}`,
      `  usage limits: ${sum(({ measured }) => Math.min(1, measured.limits ?? 0))}; waited for: ${sum(({ measured }) => Math.min(1, measured.waits))}`,
      `  replies: ${sum(({ measured }) => measured.replies ?? 0)}; booked: ${sum(({ measured }) => measured.tokens) / perReply.tokens}; lost with a kill: ${sum(lostReplies)}; booked to the millionth of a dollar: ${exact} of ${outcomes.length} runs`,
      `  processes left over: ${sum(({ measured }) => measured.left ?? 0)}; did what was refused: ${outcomes.filter(({ measured }) => measured.escaped).length}`,
    ].join('\n'),
  )
}

/** Replies that were given and not booked. @param {Outcome} outcome */
function lostReplies({ measured: { replies = 0, tokens } }) {
  return replies - tokens / perReply.tokens
}

/** A kill can lose the reply that was under way, and nothing else may differ. @param {Outcome} outcome @returns {readonly string[]} */
export function unexplained(outcome) {
  const { task, kills, measured } = outcome
  const { tokens, costMicros, limits = 0, waits, left = 0, escaped = false } = measured
  const lost = lostReplies(outcome)
  return [
    ...(lost < 0 || lost > kills || !Number.isInteger(lost)
      ? [`${task}: ${lost} replies were not booked, with ${kills} kills`]
      : []),
    ...(costMicros / perReply.costMicros === tokens / perReply.tokens
      ? []
      : [`${task}: ${costMicros} millionths of a dollar were booked for ${tokens} tokens`]),
    // A kill can come before the limit is noticed.
    ...(limits > 0 && waits === 0 && kills === 0 ? [`${task}: the usage limit was not waited for`] : []),
    ...(left > 0 ? [`${task}: ${left} processes were left over`] : []),
    ...(escaped ? [`${task}: something was done that is not allowed`] : []),
  ]
}
