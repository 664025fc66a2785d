/**
 * The key under which a call's result is stored. It contains no ids of the provider and no attempt number, so a step that runs
 * again finds its earlier results. The ordinal counts earlier successful calls with the same signature. So a call that is made
 * twice on purpose is two effects, and a retry of a failed call is the same effect.
 */
import { createHash } from 'node:crypto'
import { canonicalArgs } from './canonical-args.ts'

export interface EffectIdentity {
  readonly plan: string
  readonly step: string
  readonly tool: string
  /** The text from the model. */
  readonly args: string
  /** 1 for the first. */
  readonly ordinal: number
}

/** 32 hex digits. */
export function effectKey({ plan, step, tool, args, ordinal }: EffectIdentity): string {
  const parts = [plan.trim(), step.trim(), tool.trim(), canonicalArgs(args), String(ordinal)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}
