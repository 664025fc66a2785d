/**
 * Runs a model with tools until it answers or must stop. This file makes no decisions: functions under `pure/` decide when to stop,
 * when calls repeat themselves, what is trimmed and what is retried.
 */
import { answerCalls } from './answer-calls.ts'
import type { Checkpoint } from './checkpoint.ts'
import { endLoop } from './end-loop.ts'
import type { InnerLoopOptions } from './inner-loop-options.ts'
import type { Message } from './model.ts'
import { nextReply } from './next-reply.ts'
import { openLoop } from './open-loop.ts'
import type { CallTally } from './pure/call-tally.ts'
import type { Spend } from './pure/reserve.ts'
import type { Stop } from './pure/stop.ts'
import type { Question } from '../question.ts'

/** How `runInnerLoop` ended: it stopped, or it waits for an answer. */
export type LoopEnd =
  | {
      readonly ended: 'stopped'
      readonly stop: Stop
      /** The whole conversation. Every call in it has an answer. */
      readonly messages: readonly Message[]
      readonly iterations: number
      readonly spent: Spend
      readonly calls: CallTally
    }
  /** A person must answer first. No resources stay open: continue `from` the checkpoint once there is an answer. */
  | { readonly ended: 'asking'; readonly question: Question; readonly checkpoint: Checkpoint }

/**
 * Runs a model with tools until it answers or must stop.
 *
 * @example
 * ```ts
 * import { createEffectLog, defineTool, runInnerLoop } from '@agentm/agent-loop'
 * import { z } from 'zod'
 *
 * const clock = defineTool({
 *   name: 'clock',
 *   description: 'Says what time it is.',
 *   input: z.object({}),
 *   nature: 'pure',
 *   run: async () => '12:00',
 * })
 * // Any model: one reply to one request. This one follows a script.
 * const replies = [
 *   { calls: [{ id: '1', tool: 'clock', args: '{}' }] },
 *   { calls: [{ id: '2', tool: 'respondToUser', args: '{"text":"It is noon."}' }] },
 * ].values()
 * const end = await runInnerLoop({
 *   model: { respond: async () => replies.next().value ?? { text: 'Nothing to add.' } },
 *   tools: [clock],
 *   messages: [{ role: 'user', text: 'What time is it?' }],
 *   work: { plan: 'day', step: 'ask', effects: createEffectLog() },
 * })
 * if (end.ended === 'stopped') console.log(end.stop.reason, end.stop.text) // respondToUser It is noon.
 * ```
 */
export async function runInnerLoop(options: InnerLoopOptions): Promise<LoopEnd> {
  const loop = openLoop(options)
  try {
    for (;;) {
      const end = (await answerCalls(loop)) ?? (await nextReply(loop))
      if (end !== undefined) return await endLoop(loop, end)
    }
  } finally {
    await loop.close()
  }
}
