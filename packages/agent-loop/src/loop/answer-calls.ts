/** Makes the calls of the last reply that have no answer yet. Every call id gets an answer, even if the call is not made. */
import type { MediaPart } from '../media/media-part.ts'
import type { CallEnd } from './call-world.ts'
import { keptArgs } from './kept-words.ts'
import type { ToolCall } from './model.ts'
import { calledOff, lastText } from './next-reply.ts'
import { checkpointOf, type OpenLoop } from './open-loop.ts'
import { performCall } from './perform-call.ts'
import { tallied } from './pure/call-tally.ts'
import { fingerprint } from './pure/fingerprint.ts'
import { type CallGroup, type CallHabits, callWaves } from './pure/call-waves.ts'
import { structuredError } from './pure/classify-error.ts'
import { cutText } from './pure/cut-text.ts'
import { oneCall, plus } from './pure/reserve.ts'
import type { Stop } from './pure/stop.ts'
import { unansweredCalls } from './pure/unanswered-calls.ts'
import { watchLoop } from './pure/watch-loop.ts'
import type { Question } from '../question.ts'
import { isResponse, respondToUser, responseText } from './respond-to-user.ts'
import { failedCall } from './run-tool.ts'
import { tell } from './tell.ts'
import type { Tool } from './tool.ts'

type Ended = { readonly group: CallGroup; readonly ended: CallEnd }

export async function answerCalls(loop: OpenLoop): Promise<Stop | Question | undefined> {
  const { limits, world } = loop
  const { made, over } = unansweredCalls(loop.state.messages, limits.callsPerReply)
  if (made.length + over.length === 0) return undefined
  for (const wave of callWaves(
    made.filter((call) => !isResponse(call)),
    habitsOf(world.tools),
  )) {
    const ends = await together(wave.map(async (group) => performed(loop, group)))
    for (const end of ends) await take(loop, end)
    const halt = haltOf(loop, ends)
    if (halt !== undefined) return halt
  }
  refuse(loop, over, `not called: a reply may make ${limits.callsPerReply} calls; make it again if you still need it`)
  const end = respond(loop, made.filter(isResponse)) ?? (await heedTrip(loop))
  await loop.options.save?.(checkpointOf(loop))
  return end
}

function habitsOf(tools: readonly Tool[]): CallHabits {
  const named = (name: string): Tool | undefined => tools.find((tool) => tool.name === name)
  return {
    mayRunAlong: (name) => named(name)?.nature !== 'effectful',
    isRepeatable: (name) => named(name)?.repeatable ?? false,
  }
}

async function performed(loop: OpenLoop, group: CallGroup): Promise<Ended> {
  const ordinal = (loop.state.successes[group.signature] ?? 0) + 1
  return { group, ended: await performCall(group.call, ordinal, loop.world) }
}

/** Waits for all of them even if one throws, so that no call still runs after the loop has ended. */
async function together<T>(running: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(running)
  return Promise.all(running)
}

/** Adds the answer of a call to the conversation, and reports it. */
async function take(loop: OpenLoop, { group, ended }: Ended): Promise<void> {
  const { tool } = group.call
  tally(loop, tool, ended)
  const args = keptArgs(loop.world.known, group.call)
  switch (ended.end) {
    case 'answered':
      answer(loop, group, { text: ended.text, failed: false, ...(ended.parts && { parts: ended.parts }) })
      keep(loop, group, ended.record)
      watch(loop, group, ended.text)
      return tellResult(loop, group, ended)
    case 'failed':
      answer(loop, group, { text: ended.text, failed: true })
      watch(loop, group, ended.text)
      return tell(loop, {
        kind: 'error',
        content: `${tool}: ${ended.error.message}`,
        data: { ...ended.error, toolName: tool, args, toolCalls: booked(loop, ended.ran) },
      })
    case 'in_doubt':
      answer(loop, group, failedCall(ended.error, false))
      return tell(loop, { kind: 'error', content: ended.error.message, data: { ...ended.error, toolName: tool, args } })
    case 'asking':
    case 'no_budget':
      return undefined
  }
}

/** A call that waits, or whose outcome is unknown, is counted when it is known how it ended. */
function tally({ state, world }: OpenLoop, name: string, ended: CallEnd): void {
  if (ended.end !== 'answered' && ended.end !== 'failed') return
  const tool = name.trim()
  const nature = world.known.find((candidate) => candidate.name === tool)?.nature
  const offered = world.tools.some((candidate) => candidate.name === tool)
  const isRefused = ended.end === 'failed' && (!offered || ended.error.type === 'permission')
  const end = ended.end === 'answered' ? 'succeeded' : isRefused ? 'refused' : 'failed'
  state.tally = tallied(state.tally, { tool, end, nature, offered })
}

async function tellResult(loop: OpenLoop, { call, signature }: CallGroup, ended: CallEnd & { end: 'answered' }) {
  const { state, limits, world } = loop
  state.successes = { ...state.successes, [signature]: (state.successes[signature] ?? 0) + 1 }
  const result = cutText(ended.record ?? ended.text, limits.resultCharacters)
  const { attempts, ran } = ended
  const facts = { toolName: call.tool, args: keptArgs(world.known, call), result, attempts, reused: !ran }
  return tell(loop, {
    kind: 'tool_result',
    content: `${call.tool}: ${result}`,
    data: { ...facts, toolCalls: booked(loop, ran) },
  })
}

/** 1 for a call that was made; 0 for one that was refused or answered from the log. */
function booked({ state }: OpenLoop, ran: boolean): 0 | 1 {
  if (!ran) return 0
  state.spent = plus(state.spent, oneCall)
  return 1
}

const madeOnce = '[This reply asks for the same call twice. It was made once, and this is its answer.]'

function isEffect({ world }: OpenLoop, { tool }: ToolCall): boolean {
  const nature = world.tools.find(({ name }) => name === tool.trim())?.nature ?? 'pure'
  return nature !== 'pure'
}

function answer(
  loop: OpenLoop,
  { call, ids }: Pick<CallGroup, 'call' | 'ids'>,
  {
    text,
    failed = true,
    parts,
  }: { readonly text: string; readonly failed?: boolean; readonly parts?: readonly MediaPart[] },
): void {
  const { state, limits } = loop
  const shown = cutText(text, limits.resultCharacters)
  const again = isEffect(loop, call) ? `${shown}\n\n${madeOnce}` : shown
  const answers = ids.map((callId, i) => {
    const shownParts = i === 0 && parts !== undefined ? { parts } : {}
    return { role: 'tool', callId, tool: call.tool, text: i === 0 ? shown : again, failed, ...shownParts } as const
  })
  state.messages = [...state.messages, ...answers]
}

function keep({ state }: OpenLoop, { ids }: CallGroup, record: string | undefined): void {
  if (record !== undefined) state.records = new Map([...state.records, ...ids.map((id) => [id, record] as const)])
}

function refuse(loop: OpenLoop, calls: readonly ToolCall[], why: string): void {
  for (const call of calls)
    answer(loop, { call, ids: [call.id] }, failedCall(structuredError('unavailable', why, 0), false))
}

function watch({ state, limits, world }: OpenLoop, { call, signature }: CallGroup, result: string): void {
  const polling = world.tools.find((tool) => tool.name === call.tool.trim())?.polling ?? false
  const seen = watchLoop(state.watch, { signature, result: fingerprint(result), polling }, limits)
  state.watch = seen.watch
  if (seen.trip !== undefined) state.trip ??= { ...seen.trip, tool: call.tool.trim() }
}

/** How a wave of calls ends the loop, if it does. Calls that will not be made get an answer, too. */
function haltOf(loop: OpenLoop, ends: readonly Ended[]): Stop | Question | undefined {
  const all = ends.map(({ ended }) => ended)
  const halt = haltStop(loop, all)
  if (halt === undefined) return all.find((ended) => ended.end === 'asking')?.question
  const { made, over } = unansweredCalls(loop.state.messages, Number.MAX_SAFE_INTEGER)
  refuse(loop, [...made, ...over], 'not called: the loop was stopped')
  return halt
}

function haltStop(loop: OpenLoop, ends: readonly CallEnd[]): Stop | undefined {
  if (loop.world.signal.aborted) return calledOff(loop)
  const text = lastText(loop)
  const doubt = ends.find((ended) => ended.end === 'in_doubt')
  if (doubt !== undefined) return { reason: 'hard_error', source: 'effect', error: doubt.error, text }
  const budget = ends.find((ended) => ended.end === 'no_budget')
  return budget === undefined ? undefined : { reason: 'budget_exhausted', limit: budget.limit, text }
}

function respond(loop: OpenLoop, calls: readonly ToolCall[]): Stop | undefined {
  const given = calls.map(responseText)
  calls.forEach((call, i) => {
    if (given[i] !== undefined) answer(loop, { call, ids: [call.id] }, { text: 'delivered', failed: false })
  })
  const missing = structuredError(
    'validation',
    `${respondToUser.name} needs { "text": "…" }, and the text not empty`,
    0,
  )
  for (const [i, call] of calls.entries())
    if (given[i] === undefined) answer(loop, { call, ids: [call.id] }, failedCall(missing, false))
  const text = given.find((one) => one !== undefined)
  return text === undefined ? undefined : { reason: 'respondToUser', text }
}

/** The first repetition gives a warning; the next one ends the loop. */
async function heedTrip(loop: OpenLoop): Promise<Stop | undefined> {
  const { state } = loop
  const { trip } = state
  state.trip = undefined
  if (trip === undefined) return undefined
  const { tool, rule, times } = trip
  if (state.nudged) return { reason: 'loop_detected', tool, rule, times, text: lastText(loop) }
  state.nudged = true
  const text = `You called ${tool} ${times} times with the same result. Do something else, or call ${respondToUser.name} with what you have. The next repetition ends this.`
  state.messages = [...state.messages, { role: 'system', text }]
  await tell(loop, { kind: 'note', content: text, data: { text, nudge: tool, rule, times } })
  return undefined
}
