/** A plan with scripted outcomes, and the result that is expected of it. */
import type { PlanStatus } from '../../pure/plan-transitions.ts'
import type { Recording } from '../../replay/pure/recording-of.ts'
import type { Outcome, Recipe, RecipeStep } from '../../replay/pure/recipe.ts'

/** A plan with scripted outcomes, and the result that is expected of it. */
export interface Fixture {
  readonly name: string
  readonly recipe: Recipe
  readonly expect: Expectation
}

export interface Expectation {
  readonly success: boolean
  /** The expected number of starts, retries included. 0 means that it is not checked. */
  readonly dispatches: number
  /** The expected status, if success or failure is not precise enough; `running` is a plan that waits for a person. */
  readonly status?: PlanStatus
}

/** Steps by id. The id is also the title. */
export type FixtureSteps = Readonly<Record<string, FixtureStep>>

export interface FixtureStep extends Omit<Partial<RecipeStep>, 'id' | 'title'> {
  readonly outcomes?: readonly Outcome[]
}

export function fixture(
  name: string,
  steps: FixtureSteps,
  expect: Expectation,
  more: Partial<Pick<Recipe, 'budget' | 'concurrency'>> = {},
): Fixture {
  const entries = Object.entries(steps)
  return {
    name,
    expect,
    recipe: {
      planId: name,
      goal: name,
      owner: 'eval',
      steps: entries.map(([id, step]) => recipeStep(id, step)),
      outcomes: Object.fromEntries(entries.map(([id, { outcomes = [] }]) => [id, outcomes])),
      ...more,
    },
  }
}

function recipeStep(id: string, step: FixtureStep): RecipeStep {
  const { outcomes: _, dependsOn = [], ...facts } = step
  return { ...facts, id, title: id, dependsOn }
}

/**
 * Makes a fixture from a recorded plan: it must end again as it was recorded.
 *
 * @example
 * ```ts
 * import { createInMemoryStore } from '@agentm/conformance/logs'
 * import { fixtureOf, harnessConcepts, openHarness, readRecording } from '@agentm/harness'
 *
 * const store = createInMemoryStore({ concepts: harnessConcepts })
 * const harness = openHarness({ store, owner: 'ada', actor: 'docs' })
 * const { planId } = await harness.createPlan({ goal: 'release', steps: [{ key: 'a', title: 'Test', kind: 'command' }] })
 * const recording = await readRecording(store.log, { planId, owner: 'ada' })
 * if (recording !== undefined) console.log(fixtureOf(recording, 'release').name) // release
 * ```
 */
export function fixtureOf(recording: Recording, name: string): Fixture {
  const { recipe, status, dispatches } = recording
  return { name, recipe, expect: { success: status === 'done', dispatches: dispatches.length } }
}
