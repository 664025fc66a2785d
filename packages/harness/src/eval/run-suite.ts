/** Runs a suite of fixtures through the decisions of the live harness, without a store, a model or waiting. */
import type { Fixture } from './pure/fixture.ts'
import { type Score, scoreFixture } from './pure/score-fixture.ts'

export interface EvalReport {
  /** Sorted by name. */
  readonly scores: readonly Score[]
  readonly total: number
  readonly passed: number
  /** 0 for a suite without fixtures, because nothing was tested. */
  readonly passRate: number
  readonly successRate: number
  readonly toolCalls: number
  readonly tokens: number
  readonly wallClockMs: number
}

/**
 * Runs fixtures through the same decisions that workers make, without a store, a model or waiting.
 *
 * @example
 * ```ts
 * import { checkThreshold, renderReport, runSuite, suites } from '@agentm/harness'
 *
 * const { fixtures, threshold } = suites.seed
 * const report = runSuite(fixtures)
 * const verdict = checkThreshold(report, threshold)
 * console.log(verdict.cleared, renderReport(report, verdict).length > 0) // true true
 * ```
 */
export function runSuite(
  fixtures: readonly Fixture[],
  { now = Date.now }: { readonly now?: () => number } = {},
): EvalReport {
  const began = now()
  const scores = fixtures.map(scoreFixture).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const passed = scores.filter((score) => score.passed).length
  const rate = (count: number): number => (scores.length === 0 ? 0 : count / scores.length)
  return {
    scores,
    total: scores.length,
    passed,
    passRate: rate(passed),
    successRate: rate(scores.filter(({ success }) => success).length),
    toolCalls: scores.reduce((sum, score) => sum + score.toolCalls, 0),
    tokens: scores.reduce((sum, score) => sum + score.tokens, 0),
    wallClockMs: Math.max(0, now() - began),
  }
}
