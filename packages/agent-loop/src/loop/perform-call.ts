/**
 * Makes one call of the model, from its JSON text to an answer that the model can read. A failure is an answer, too. A call that
 * waits for a person, or whose outcome is unknown, has no answer.
 */
import type { CallEnd, CallWorld, ReadyCall } from './call-world.ts'
import type { ToolCall } from './model.ts'
import { keptArgs } from './kept-words.ts'
import { oneFlight } from './one-flight.ts'
import { performEffect } from './perform-effect.ts'
import { canonicalArgs } from './pure/canonical-args.ts'
import { classifyError, structuredError } from './pure/classify-error.ts'
import { effectKey } from './pure/effect-key.ts'
import { oneCall } from './pure/reserve.ts'
import { failedCall, runTool } from './run-tool.ts'
import { type StructuredToolError, ToolError } from './tool-error.ts'

export async function performCall(call: ToolCall, ordinal: number, world: CallWorld): Promise<CallEnd> {
  const ready = readyCall(call, ordinal, world)
  if ('end' in ready) return ready
  if (ready.tool.nature === 'pure' && !ready.tool.needsApproval) return performPure(ready, world)
  return oneFlight(world.work.effects.store, ready.call.key, async () => performEffect(ready, world))
}

function readyCall(call: ToolCall, ordinal: number, { tools, known, work }: CallWorld): ReadyCall | CallEnd {
  const name = call.tool.trim()
  const tool = tools.find((candidate) => candidate.name === name)
  if (tool === undefined) return refusedName(name, { tools, known })
  const { plan, step } = work
  const key = effectKey({ plan, step, tool: name, args: call.args, ordinal })
  const args = canonicalArgs(keptArgs(known, call))
  const facts = { plan, step, tool: name, args, ordinal, nature: tool.nature }
  try {
    return { tool, args: tool.parse(parsedArgs(call.args)), call: { key, ...facts } }
  } catch (error) {
    return failedCall(invalidArgs(error), false)
  }
}

function refusedName(name: string, { tools, known }: Pick<CallWorld, 'tools' | 'known'>): CallEnd {
  const names = tools.map((tool) => tool.name).join(', ')
  const hidden = known.some((tool) => tool.name === name)
  const error = hidden
    ? structuredError('permission', `${name} is out of scope for this step; it may use: ${names || 'no tool'}`, 0)
    : structuredError('not_found', `unknown tool ${JSON.stringify(name)}; there are: ${names || 'none'}`, 0)
  return failedCall(error, false)
}

function parsedArgs(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ToolError('validation', 'the arguments are not JSON; write them as one JSON object', { cause })
  }
}

function invalidArgs(error: unknown): StructuredToolError {
  const { type, message, details } = classifyError(error ?? 'invalid arguments', 0)
  return structuredError(type === 'internal' ? 'validation' : type, message, 0, details)
}

async function performPure(ready: ReadyCall, world: CallWorld): Promise<CallEnd> {
  const reservation = await world.budget.reserve(oneCall)
  if (!reservation.granted) return { end: 'no_budget', limit: reservation.limit }
  const ended = await runTool(ready, world)
  await reservation.settle(oneCall)
  return ended
}
