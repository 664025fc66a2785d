/**
 * The name under which a call's result is kept. It holds nothing a provider makes up and no attempt number: a step that is
 * run again finds what it did already. The ordinal counts the calls of this signature that succeeded before it, so that
 * the same call made twice on purpose is two effects, and a failed one tried again is still the same one.
 */
import { createHash } from 'node:crypto'
import { canonicalArgs } from './canonical-args.ts'

export interface EffectIdentity {
  readonly plan: string
  readonly step: string
  readonly tool: string
  /** As the model wrote them. */
  readonly args: string
  /** 1 for the first. */
  readonly ordinal: number
}

/** 32 hex digits. */
export function effectKey({ plan, step, tool, args, ordinal }: EffectIdentity): string {
  const parts = [plan.trim(), step.trim(), tool.trim(), canonicalArgs(args), String(ordinal)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
