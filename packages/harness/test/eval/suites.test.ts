import { describe, expect, it } from 'vitest'
import { checkThreshold, type Fixture, renderReport, runSuite, suites } from '../../src/index.ts'
import { type EvalReport } from '../../src/eval/run-suite.ts'

const costs = (report: EvalReport) =>
  Object.fromEntries(
    report.scores.map(({ name, dispatches, toolCalls, tokens }) => [name, [dispatches, toolCalls, tokens]]),
  )

describe('suite seed', () => {
  const report = runSuite(suites.seed.fixtures, { now: () => 0 })

  it('has the six shapes with their figures', () => {
    expect(costs(report)).toEqual({
      'dead-end-blocked': [1, 1, 10],
      'failing-step': [1, 1, 10],
      'fan-out-fan-in': [4, 4, 160],
      'linear-chain': [3, 4, 185],
      'mixed-success': [3, 3, 70],
      'single-step': [1, 1, 100],
    })
    expect(report).toMatchObject({ total: 6, passed: 6, passRate: 1, successRate: 0.5, toolCalls: 14, tokens: 535 })
  })

  it('clears its caps', () => {
    expect(suites.seed.threshold).toEqual({ minPassRate: 1, minSuccessRate: 0.5, maxToolCalls: 16, maxTokens: 600 })
    expect(checkThreshold(report, suites.seed.threshold)).toEqual({ cleared: true, violations: [] })
  })

  it('does not depend on how many steps run side by side', () => {
    const wide = suites.seed.fixtures.map((one) => ({ ...one, recipe: { ...one.recipe, concurrency: 4 } }))
    expect(costs(runSuite(wide))).toEqual(costs(report))
  })
})

describe('suite extended', () => {
  it('passes, and clears its caps', () => {
    const report = runSuite(suites.extended.fixtures)
    expect(report.scores.filter(({ passed }) => !passed)).toEqual([])
    expect(checkThreshold(report, suites.extended.threshold).violations).toEqual([])
    expect(Object.keys(costs(report))).toEqual(
      expect.arrayContaining(['transitive-dead-end', 'retry-then-done', 'lease-expired', 'cycle', 'budget-of-steps']),
    )
  })
})

describe('a fixture', () => {
  const [single] = suites.seed.fixtures as readonly [Fixture]

  it.each([
    [{ success: false, dispatches: 1 }, 'expected success=false, and the plan is done'],
    [{ success: true, dispatches: 2 }, 'expected 2 starts, and there were 1'],
    [{ success: true, dispatches: 0, status: 'failed' as const }, 'expected the plan to be failed, and it is done'],
  ])('that expects %j fails, and says why', (expectation, problem) => {
    const report = runSuite([{ ...single, expect: expectation }])
    expect(report).toMatchObject({ passed: 0, passRate: 0, scores: [{ passed: false, problem }] })
    expect(renderReport(report, checkThreshold(report, { minPassRate: 1 }))).toContain(problem)
  })
})

describe('a threshold', () => {
  const report: EvalReport = {
    scores: [],
    total: 3,
    passed: 2,
    passRate: 2 / 3,
    successRate: 1 / 3,
    toolCalls: 20,
    tokens: 700,
    wallClockMs: 1,
  }

  it('names everything that was missed', () => {
    const { cleared, violations } = checkThreshold(report, suites.seed.threshold)
    expect(cleared).toBe(false)
    expect(violations).toEqual([
      'pass rate 0.667 is below 1',
      'success rate 0.333 is below 0.5',
      'tool calls 20 is above 16',
      'tokens 700 is above 600',
    ])
  })

  it('looks at nothing that is 0 or absent, and lets equal figures pass', () => {
    expect(checkThreshold(report, {}).cleared).toBe(true)
    expect(checkThreshold(report, { minPassRate: 0, maxToolCalls: 0 }).cleared).toBe(true)
    expect(checkThreshold(report, { minPassRate: 2 / 3, maxToolCalls: 20, maxTokens: 700 }).cleared).toBe(true)
  })

  it('is missed by a suite without fixtures', () => {
    expect(runSuite([])).toMatchObject({ total: 0, passRate: 0, successRate: 0 })
    expect(checkThreshold(runSuite([]), suites.seed.threshold).cleared).toBe(false)
  })
})
