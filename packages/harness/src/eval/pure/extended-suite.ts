/**
 * Cases that the seed suite does not cover: dead ends several steps away, retries, lost workers, dependency cycles, budgets and
 * unknown outcomes.
 */
import { type Fixture, fixture } from './fixture.ts'
import { done, fails } from './seed-suite.ts'

const passing = { end: 'failed', toolCalls: 1, tokens: 10, failure: { retryable: true } } as const
const lost = { end: 'lost', why: 'lease', toolCalls: 1, tokens: 10 } as const

export const extendedSuite: readonly Fixture[] = [
  fixture(
    'transitive-dead-end',
    {
      s1: { outcomes: [fails(1, 10)] },
      s2: { dependsOn: ['s1'] },
      s3: { dependsOn: ['s2'] },
      s4: { dependsOn: ['s3'] },
    },
    { success: false, dispatches: 1, status: 'failed' },
  ),
  fixture(
    'dead-end-beside-work',
    {
      bad: { outcomes: [fails(1, 10)] },
      never: { dependsOn: ['bad'] },
      a: { outcomes: [done(1, 10)] },
      b: { dependsOn: ['a'], outcomes: [done(1, 10)] },
    },
    { success: false, dispatches: 3, status: 'failed' },
  ),
  fixture(
    'retry-then-done',
    { s1: { outcomes: [passing, passing, done(1, 10)] }, s2: { dependsOn: ['s1'], outcomes: [done(1, 10)] } },
    { success: true, dispatches: 4 },
  ),
  fixture('retry-used-up', { s1: { outcomes: [passing] } }, { success: false, dispatches: 3, status: 'failed' }),
  fixture(
    'lease-expired',
    { s1: { outcomes: [lost, done(1, 10)] }, s2: { dependsOn: ['s1'], outcomes: [done(1, 10)] } },
    { success: true, dispatches: 3 },
  ),
  fixture('crash-loop', { s1: { outcomes: [lost] } }, { success: false, dispatches: 5, status: 'failed' }),
  fixture(
    'effect-in-doubt-answered',
    { s1: { nature: 'effectful', outcomes: [lost, done(1, 10)] } },
    { success: true, dispatches: 2 },
  ),
  fixture(
    'effect-in-doubt-unanswered',
    { s1: { nature: 'effectful', outcomes: [lost] } },
    { success: false, dispatches: 1, status: 'running' },
  ),
  fixture(
    'cycle',
    {
      a: { dependsOn: ['b'] },
      b: { dependsOn: ['a'] },
      c: { outcomes: [done(1, 10)] },
    },
    { success: false, dispatches: 1, status: 'failed' },
  ),
  fixture('self-edge', { a: { dependsOn: ['a'] } }, { success: false, dispatches: 0, status: 'failed' }),
  fixture(
    'budget-of-steps',
    { s1: {}, s2: { dependsOn: ['s1'] }, s3: { dependsOn: ['s2'] } },
    { success: false, dispatches: 2, status: 'failed' },
    { budget: { maxSteps: 2 } },
  ),
  fixture(
    'budget-used-up-while-running',
    { a: { outcomes: [done(1, 10)] }, b: { outcomes: [done(1, 10)] }, c: { outcomes: [done(1, 10)] } },
    { success: false, dispatches: 2, status: 'failed' },
    { budget: { maxSteps: 2 }, concurrency: 2 },
  ),
  fixture(
    'budget-just-enough',
    { s1: {}, s2: { dependsOn: ['s1'] } },
    { success: true, dispatches: 2 },
    { budget: { maxSteps: 2 } },
  ),
  fixture(
    'budget-of-tokens',
    {
      s1: { outcomes: [done(1, 60)] },
      s2: { dependsOn: ['s1'], outcomes: [done(1, 60)] },
      s3: { dependsOn: ['s2'], outcomes: [done(1, 60)] },
    },
    { success: false, dispatches: 2, status: 'failed' },
    { budget: { maxTokens: 100 } },
  ),
]
