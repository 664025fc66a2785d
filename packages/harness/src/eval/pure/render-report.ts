import type { EvalReport } from '../run-suite.ts'
import type { EvalVerdict } from './check-threshold.ts'

/**
 * A report and its verdict for people: a line per fixture, the totals, and every limit that was missed.
 *
 * @example
 * ```ts
 * import { checkThreshold, renderReport, runSuite, suites } from '@agentm/harness'
 *
 * const report = runSuite(suites.seed.fixtures)
 * console.log(renderReport(report, checkThreshold(report, suites.seed.threshold)).includes('\n')) // true
 * ```
 */
export function renderReport(report: EvalReport, { cleared, violations }: EvalVerdict): string {
  const width = Math.max(0, ...report.scores.map(({ name }) => name.length))
  const { passed, total, successRate, toolCalls, tokens } = report
  return [
    ...report.scores.map((score) => {
      const counted = `starts=${score.dispatches} toolCalls=${score.toolCalls} tokens=${score.tokens}`
      const line = `${score.passed ? 'pass' : 'FAIL'}  ${score.name.padEnd(width)}  success=${score.success} ${counted}`
      return score.problem === '' ? line : `${line}  ${score.problem}`
    }),
    `${passed} of ${total} passed, success rate ${Math.round(successRate * 1000) / 1000}, ${toolCalls} tool calls, ${tokens} tokens`,
    ...(cleared ? ['cleared'] : violations.map((violation) => `regressed: ${violation}`)),
    '',
  ].join('\n')
}
