/** Whether a report keeps every limit; names each limit that it does not keep. */
import type { EvalReport } from '../run-suite.ts'

/** Floors fail when below, caps when above; what is absent or 0 is not looked at. */
export interface Threshold {
  readonly minPassRate?: number
  readonly minSuccessRate?: number
  readonly maxToolCalls?: number
  readonly maxTokens?: number
}

export interface EvalVerdict {
  readonly cleared: boolean
  /** One sentence each. */
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

/** Rates are quotients of small numbers; a last digit of a double is no regression. */
function below(what: string, got: number, floor: number): string {
  return floor > 0 && got < floor - 1e-9 ? `${what} ${figure(got)} is below ${figure(floor)}` : ''
}

function above(what: string, got: number, cap: number): string {
  return cap > 0 && got > cap ? `${what} ${figure(got)} is above ${figure(cap)}` : ''
}

function figure(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}
