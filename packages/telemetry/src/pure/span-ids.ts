/** The ids of traces and spans, derived from the ids of the log. Every process that works on a plan finds the same ones. */
import { createHash } from 'node:crypto'

/** Where a span belongs: its trace, and its id in it. */
export interface SpanPlace {
  readonly traceId: string
  readonly spanId: string
}

/** Two owners may use the same plan id, so the owner is part of it. */
export function planPlace(owner: string, planId: string): SpanPlace {
  const traceId = createHash('sha256')
    .update(JSON.stringify([owner, planId]))
    .digest('hex')
    .slice(0, 32)
  return { traceId, spanId: mixed(planId, roles.plan) }
}

export function stepPlace({ traceId }: SpanPlace, stepId: string): SpanPlace {
  return { traceId, spanId: mixed(stepId, roles.step) }
}

/** One attempt of a step. The version of its claim tells it from every other one, also where the attempt number does not rise. */
export function attemptPlace({ traceId }: SpanPlace, stepId: string, claimed: number): SpanPlace {
  return { traceId, spanId: mixed(stepId, roles.attempt + claimed) }
}

/** A step that failed, was retried by hand, and ended again. */
export function againPlace({ traceId, spanId }: SpanPlace, version: number): SpanPlace {
  return { traceId, spanId: mixed(spanId, roles.again + version) }
}

/** Something that a function asked for. `step` is the place of the step that runs the function. */
export function entryPlace({ traceId, spanId }: SpanPlace, position: number): SpanPlace {
  return { traceId, spanId: mixed(spanId, roles.entry + position) }
}

/** One attempt of a step of a function. `pass` is the attempt of the step that runs the function, because a lost attempt is repeated in another one. */
export function entryAttemptPlace(
  { traceId, spanId }: SpanPlace,
  { position, attempt }: { readonly position: number; readonly attempt: number },
): SpanPlace {
  return { traceId, spanId: mixed(`${spanId}${attempt}`, roles.entryAttempt + position) }
}

/** Far apart, because versions are added to them. */
const roles = {
  plan: 0x10_00_00_00,
  step: 0x20_00_00_00,
  attempt: 0x30_00_00_00,
  again: 0x50_00_00_00,
  entry: 0x60_00_00_00,
  entryAttempt: 0x70_00_00_00,
} as const

/**
 * 64 bits of a text, as 16 digits. Ids of spans only have to differ within their trace, and a cryptographic hash for each would be the most
 * expensive part of a span.
 */
function mixed(text: string, seed: number): string {
  let [low, high] = [0xde_ad_be_ef ^ seed, 0x41_c6_ce_57 ^ seed]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    low = Math.imul(low ^ code, 0x9e_37_79_b1)
    high = Math.imul(high ^ code, 0x5f_35_64_95)
  }
  low = Math.imul(low ^ (low >>> 16), 0x85_eb_ca_6b) ^ Math.imul(high ^ (high >>> 13), 0xc2_b2_ae_35)
  high = Math.imul(high ^ (high >>> 16), 0x85_eb_ca_6b) ^ Math.imul(low ^ (low >>> 13), 0xc2_b2_ae_35)
  return digits(high) + digits(low)
}

/** From a table, because Node writes large numbers in another base than ten slowly. */
function digits(bits: number): string {
  return `${pair(bits >>> 24)}${pair(bits >>> 16)}${pair(bits >>> 8)}${pair(bits)}`
}

function pair(byte: number): string {
  return pairs[byte & 0xff] ?? ''
}

const pairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
