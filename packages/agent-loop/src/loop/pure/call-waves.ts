/**
 * Which calls of one reply may run at the same time. Calls that only read, or that may be repeated, run together; an effectful call
 * runs alone and in order. Two equal calls in one reply are one call with two ids, unless the tool says that a repetition is meant.
 */
import type { ToolCall } from '../model.ts'
import { callSignature } from './call-signature.ts'
import { fingerprint } from './fingerprint.ts'

export interface CallGroup {
  readonly signature: string
  readonly call: ToolCall
  /** All call ids that its result answers, in order. */
  readonly ids: readonly string[]
}

/** What the waves depend on, by the name of a tool. */
export interface CallHabits {
  readonly mayRunAlong: (tool: string) => boolean
  readonly isRepeatable: (tool: string) => boolean
}

export function callWaves(
  calls: readonly ToolCall[],
  { mayRunAlong, isRepeatable }: CallHabits,
): readonly (readonly CallGroup[])[] {
  const waves: CallGroup[][] = []
  let alone = true
  for (const group of grouped(calls, isRepeatable)) {
    const along = mayRunAlong(group.call.tool.trim())
    const wave = waves.at(-1)
    if (wave !== undefined && along && !alone) wave.push(group)
    else waves.push([group])
    alone = !along
  }
  return waves
}

function grouped(calls: readonly ToolCall[], isRepeatable: (tool: string) => boolean): readonly CallGroup[] {
  const groups = new Map<string, CallGroup>()
  for (const [i, call] of calls.entries()) {
    // Hashed because it is stored in checkpoints, which must not contain the arguments of some calls.
    const signature = fingerprint(callSignature(call.tool, call.args))
    const name = isRepeatable(call.tool.trim()) ? `${signature}-${i}` : signature
    const group = groups.get(name)
    groups.set(name, { signature, call: group?.call ?? call, ids: [...(group?.ids ?? []), call.id] })
  }
  return [...groups.values()]
}
