/**
 * A call that must not happen twice. Its record is read first: a success is returned as the answer; a start without an end means
 * that the outcome is unknown. It is then found out with `verify` or by asking a person, and the call is never simply repeated.
 */
import { redactSecrets } from '@agentm/nodes'
import type { Question } from '../question.ts'
import { attemptCall } from './attempt-call.ts'
import type { CallEnd, CallWorld, ReadyCall } from './call-world.ts'
import type { EffectRecord } from './effect-log.ts'
import { structuredError } from './pure/classify-error.ts'
import { type Doubt, nextStep } from './pure/next-step-of-effect.ts'
import { oneCall } from './pure/reserve.ts'
import { failedCall, runTool } from './run-tool.ts'
import type { Verdict } from './tool.ts'

export async function performEffect(ready: ReadyCall, world: CallWorld): Promise<CallEnd> {
  const { effects } = world.work
  const record = await effects.read(ready.call)
  switch (nextStep(ready.call.nature, record)) {
    case 'reuse':
      return { end: 'answered', ran: false, attempts: 0, ...answerOf(record) }
    case 'settle_doubt':
      return settleDoubt(ready, { record, ran: false }, world)
    default:
      return begin(ready, record, world)
  }
}

async function begin(ready: ReadyCall, record: EffectRecord | undefined, world: CallWorld): Promise<CallEnd> {
  const refused = ready.tool.needsApproval ? await approval(ready, record, world) : undefined
  if (refused !== undefined) return refused
  const reservation = await world.budget.reserve(oneCall)
  if (!reservation.granted) return { end: 'no_budget', limit: reservation.limit }
  const ended = await make(ready, world)
  await reservation.settle(oneCall)
  return ended
}

async function make(ready: ReadyCall, world: CallWorld): Promise<CallEnd> {
  const { effects } = world.work
  const { call } = ready
  if (call.nature !== 'effectful') return kept(ready, await runTool(ready, world), world)
  await effects.intend(call)
  const ended = await runTool(ready, world, (error) => error.retryable && !error.mayHaveHappened)
  if (ended.end !== 'failed') return kept(ready, ended, world)
  if (ended.mayHaveHappened === true) {
    // Aborted during the call: the outcome stays unknown in the log, and the next run of the step resolves it.
    if (world.signal.aborted) return ended
    return settleDoubt(ready, { record: await effects.read(call), ran: true, failure: ended }, world)
  }
  await effects.fail(call, ended.error.message)
  return ended
}

/** Only successes are stored as answers, because a failed call may be made again. */
async function kept(ready: ReadyCall, ended: CallEnd, world: CallWorld): Promise<CallEnd> {
  if (ended.end === 'answered') await world.work.effects.succeed(ready.call, ended.record ?? ended.text, ended.parts)
  return ended
}

async function settleDoubt(ready: ReadyCall, doubt: Doubt, world: CallWorld): Promise<CallEnd> {
  const verdict = await look(ready, world)
  if (world.signal.aborted) return failedCall(structuredError('timeout', 'the call was called off', 0), doubt.ran)
  if (verdict.happened === true) return didHappen(ready, { text: verdict.text, ran: doubt.ran }, world)
  if (verdict.happened === false) return didNotHappen(ready, doubt, world)
  return ask(ready, doubt, world)
}

/** If the check fails, the outcome stays unknown. */
async function look({ tool, args, call: { key } }: ReadyCall, world: CallWorld): Promise<Verdict> {
  const unknown: Verdict = { happened: 'unknown' }
  if (tool.verify === undefined) return unknown
  const verify = async (signal: AbortSignal, attempt: number): Promise<Verdict> =>
    (await tool.verify?.(args, { signal, key, attempt, earlier: world.earlier(), loop: world.loop })) ?? unknown
  const attempted = await attemptCall(verify, {
    policy: { ...world.retry, ...tool.retry },
    runtime: world.runtime,
    signal: world.signal,
  })
  return attempted.ok ? attempted.value : unknown
}

async function didHappen(
  ready: ReadyCall,
  { text: said, ran }: { readonly text: string; readonly ran: boolean },
  world: CallWorld,
): Promise<CallEnd> {
  const text = redactSecrets(said)
  await world.work.effects.succeed(ready.call, text)
  return { end: 'answered', text, ran, attempts: ran ? 1 : 0 }
}

/** If the call failed in this run, the model decides what to do next. If it failed in an earlier run, it is made now. */
async function didNotHappen(ready: ReadyCall, doubt: Doubt, world: CallWorld): Promise<CallEnd> {
  const { failure } = doubt
  await world.work.effects.fail(ready.call, failure?.error.message ?? 'it did not happen')
  return failure ?? begin(ready, await world.work.effects.read(ready.call), world)
}

async function ask(ready: ReadyCall, doubt: Doubt, world: CallWorld): Promise<CallEnd> {
  const question = doubtQuestion(ready, doubt)
  const answer = world.ask === undefined ? 'stop' : await world.ask(question)
  switch (answer) {
    case undefined:
      return { end: 'asking', question }
    case 'happened':
      return didHappen(ready, { text: 'It was done. What it returned is not known.', ran: doubt.ran }, world)
    case 'did_not_happen':
      return didNotHappen(ready, doubt, world)
    default:
      return { end: 'in_doubt', error: structuredError('internal', question.text, 0) }
  }
}

function doubtQuestion({ tool, call }: ReadyCall, { record }: Doubt): Question {
  return {
    id: `${call.key}-doubt-${record?.intents ?? 0}`,
    text: `${tool.name} was begun and its end is not known. Find out whether it happened, then answer.`,
    allowed: ['happened', 'did_not_happen', 'stop'],
    default: 'stop',
    about: { why: 'in_doubt', tool: tool.name, args: call.args },
  }
}

/** `undefined` if the call may proceed. */
async function approval(
  { tool, call }: ReadyCall,
  record: EffectRecord | undefined,
  { ask: askPerson }: CallWorld,
): Promise<CallEnd | undefined> {
  const question: Question = {
    id: `${call.key}-approve-${record?.intents ?? 0}`,
    text: `May ${tool.name} be called with ${call.args || 'no arguments'}?`,
    allowed: ['approve', 'deny'],
    default: 'deny',
    about: { why: 'approval', tool: tool.name, args: call.args },
  }
  const answer = askPerson === undefined ? 'deny' : await askPerson(question)
  if (answer === 'approve') return undefined
  if (answer === undefined) return { end: 'asking', question }
  return failedCall(structuredError('permission', `${tool.name} was not approved; do without it`, 0), false)
}

/** What was answered then, with its pictures. */
function answerOf(record: EffectRecord | undefined): Pick<CallEnd & { readonly end: 'answered' }, 'text' | 'parts'> {
  if (record?.state !== 'succeeded') return { text: '' }
  const { text, parts } = record
  return { text, ...(parts && { parts }) }
}
