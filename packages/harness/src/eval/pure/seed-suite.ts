/** The plan graphs that every version of the harness must handle correctly. */
import { type Fixture, fixture } from './fixture.ts'
import type { Outcome } from '../../replay/pure/recipe.ts'

export const seedSuite: readonly Fixture[] = [
  fixture('single-step', { s1: { outcomes: [done(1, 100)] } }, { success: true, dispatches: 1 }),
  fixture(
    'linear-chain',
    {
      s1: { outcomes: [done(1, 50)] },
      s2: { dependsOn: ['s1'], outcomes: [done(2, 75)] },
      s3: { dependsOn: ['s2'], outcomes: [done(1, 60)] },
    },
    { success: true, dispatches: 3 },
  ),
  fixture(
    'fan-out-fan-in',
    {
      root: { outcomes: [done(1, 40)] },
      a: { dependsOn: ['root'], outcomes: [done(1, 40)] },
      b: { dependsOn: ['root'], outcomes: [done(1, 40)] },
      join: { dependsOn: ['a', 'b'], outcomes: [done(1, 40)] },
    },
    { success: true, dispatches: 4 },
  ),
  fixture('failing-step', { s1: { outcomes: [fails(1, 10)] } }, { success: false, dispatches: 1 }),
  fixture(
    'dead-end-blocked',
    { s1: { outcomes: [fails(1, 10)] }, s2: { dependsOn: ['s1'] } },
    { success: false, dispatches: 1 },
  ),
  fixture(
    'mixed-success',
    {
      good1: { outcomes: [done(1, 30)] },
      good2: { dependsOn: ['good1'], outcomes: [done(1, 30)] },
      bad: { outcomes: [fails(1, 10)] },
    },
    { success: false, dispatches: 3 },
  ),
]

export function done(toolCalls: number, tokens: number): Outcome {
  return { end: 'done', toolCalls, tokens }
}

export function fails(toolCalls: number, tokens: number): Outcome {
  return { end: 'failed', toolCalls, tokens }
}
