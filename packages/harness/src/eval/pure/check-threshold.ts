/** Whether a report keeps every limit. Names each limit that it exceeds or misses. */
import type { EvalReport } from '../run-suite.ts'

/** A report fails below a minimum or above a maximum. A limit that is absent or 0 is not checked. */
export interface Threshold {
  readonly minPassRate?: number
  readonly minSuccessRate?: number
  readonly maxToolCalls?: number
  readonly maxTokens?: number
}

export interface EvalVerdict {
  readonly cleared: boolean
  /** One sentence for each missed limit. */
  readonly violations: readonly string[]
}

/**
 * Whether an eval report is good enough, and every limit that it missed.
 *
 * @example
 * ```ts
 * import { checkThreshold, runSuite, suites } from '@agentm/harness'
 *
 * const { fixtures, threshold } = suites.seed
 * console.log(checkThreshold(runSuite(fixtures), threshold).violations.length) // 0
 * ```
 */
export function checkThreshold(report: EvalReport, threshold: Threshold): EvalVerdict {
  const { minPassRate = 0, minSuccessRate = 0, maxToolCalls = 0, maxTokens = 0 } = threshold
  const violations = [
    below('pass rate', report.passRate, minPassRate),
    below('success rate', report.successRate, minSuccessRate),
    above('tool calls', report.toolCalls, maxToolCalls),
    above('tokens', report.tokens, maxTokens),
  ].filter((violation) => violation !== '')
  return { cleared: violations.length === 0, violations }
}

/** Allows for rounding, because a difference in the last digit of a quotient is no regression. */
function below(what: string, got: number, floor: number): string {
  return floor > 0 && got < floor - 1e-9 ? `${what} ${figure(got)} is below ${figure(floor)}` : ''
}

function above(what: string, got: number, cap: number): string {
  return cap > 0 && got > cap ? `${what} ${figure(got)} is above ${figure(cap)}` : ''
}

function figure(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
