/**
 * Which calls of one reply may run side by side. What only reads, or may be repeated, does; an effect runs alone and in
 * its place. The same call twice in one reply is one call with two ids.
 */
import type { ToolCall } from '../model.ts'
import { callSignature } from './call-signature.ts'
import { fingerprint } from './fingerprint.ts'

export interface CallGroup {
  readonly signature: string
  readonly call: ToolCall
  /** All the ids it answers, in order. */
  readonly ids: readonly string[]
}

export function callWaves(
  calls: readonly ToolCall[],
  mayRunAlong: (tool: string) => boolean,
): readonly (readonly CallGroup[])[] {
  const waves: CallGroup[][] = []
  let alone = true
  for (const group of grouped(calls)) {
    const along = mayRunAlong(group.call.tool.trim())
    const wave = waves.at(-1)
    if (wave !== undefined && along && !alone) wave.push(group)
    else waves.push([group])
    alone = !along
  }
  return waves
}

function grouped(calls: readonly ToolCall[]): readonly CallGroup[] {
  const groups = new Map<string, CallGroup>()
  for (const call of calls) {
    // It is kept in checkpoints, where the arguments of some calls must not be.
    const signature = fingerprint(callSignature(call.tool, call.args))
    const group = groups.get(signature)
    groups.set(signature, { signature, call: group?.call ?? call, ids: [...(group?.ids ?? []), call.id] })
  }
  return [...groups.values()]
}
