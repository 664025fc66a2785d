// @ts-check
/** The plan of one task, with the gate or without it. */

export const owner = 'ada'
/** Short, because a killed worker is noticed when its lease is over. */
export const leaseMs = 1500

/**
 * @param {import('./repositories.mjs').Task} task
 * @param {{ readonly hasGate: boolean, readonly hangs: boolean, readonly agent: Pick<import('./loop-agent.mjs').Agent, 'kind' | 'input'>, readonly trees: import('@agentm/harness').PlanTrees }} how
 * @returns {import('@agentm/harness').NewPlan}
 */
export function planOf({ name }, { hasGate, hangs, agent: { kind, input }, trees }) {
  // Where the tests hang, waiting longer changes nothing. Everywhere else a slow machine must not fail them.
  const timeoutMs = hangs ? 4000 : 120_000
  return {
    goal: `Fix the failing test of ${name}`,
    trees,
    steps: [
      {
        key: 'fix',
        title: `Fix the failing test of ${name}`,
        kind,
        ...(input && { input }),
        // A killed coding agent is a failure; only a killed worker is a crash.
        retry: { maxFailures: kind === 'agent' ? 1 : 20, maxCrashes: 50, baseMs: 10, capMs: 50 },
        ...(hasGate && {
          check: {
            protect: ['test/**', 'package.json#scripts'],
            commands: [{ command: 'npm', args: ['test'], timeoutMs }],
          },
        }),
      },
    ],
  }
}
