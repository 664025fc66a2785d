import { simulatePlan } from '../../replay/pure/simulate-plan.ts'
import type { Fixture } from './fixture.ts'

export interface Score {
  readonly name: string
  readonly passed: boolean
  readonly success: boolean
  readonly dispatches: number
  readonly toolCalls: number
  readonly tokens: number
  /** The expectation that was not met; empty if the fixture passed. */
  readonly problem: string
}

export function scoreFixture({ name, recipe, expect }: Fixture): Score {
  const { status, dispatches, toolCalls, tokens } = simulatePlan(recipe)
  const success = status === 'done'
  const starts = dispatches.length
  const problem = problemOf(expect, { success, starts, status })
  return { name, passed: problem === '', success, dispatches: starts, toolCalls, tokens, problem }
}

/** Success is checked first, because a plan that ended the wrong way says more than a wrong number of starts. */
function problemOf(
  expect: Fixture['expect'],
  got: { readonly success: boolean; readonly starts: number; readonly status: string },
): string {
  if (got.success !== expect.success) return `expected success=${expect.success}, and the plan is ${got.status}`
  if (expect.status !== undefined && got.status !== expect.status)
    return `expected the plan to be ${expect.status}, and it is ${got.status}`
  if (expect.dispatches > 0 && got.starts !== expect.dispatches)
    return `expected ${expect.dispatches} starts, and there were ${got.starts}`
  return ''
}
