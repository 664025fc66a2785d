/** The suites that come with the harness, each with the threshold that its report must reach. */
import type { Threshold } from './pure/check-threshold.ts'
import { extendedSuite } from './pure/extended-suite.ts'
import type { Fixture } from './pure/fixture.ts'
import { seedSuite } from './pure/seed-suite.ts'

/** Fixtures, and the threshold their report has to reach. */
export interface Suite {
  readonly fixtures: readonly Fixture[]
  readonly threshold: Threshold
}

/** The suites that come with the harness. */
export const suites: Readonly<Record<'seed' | 'extended', Suite>> = {
  seed: {
    fixtures: seedSuite,
    threshold: { minPassRate: 1, minSuccessRate: 0.5, maxToolCalls: 16, maxTokens: 600 },
  },
  extended: { fixtures: extendedSuite, threshold: { minPassRate: 1, maxToolCalls: 28, maxTokens: 400 } },
}
