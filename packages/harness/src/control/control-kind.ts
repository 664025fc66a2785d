/** Steps of kind `function:control`: a plan file's `foreach`, `when`, `until`, `plan`, `sleep`, `ask` and `signal`. */
import { stepIdIn } from '../pure/step-id-in.ts'
import { durable } from '../functions/durable.ts'
import type { StepKind, StepRun } from '../step-kind.ts'
import { type ControlledStep, controlledStepSchema } from './controlled-step.ts'
import { controlFunction, controlKindName } from './pure/control-kind-name.ts'
import type { Scope } from './pure/evaluate.ts'
import { endOf, runControlled } from './run-controlled.ts'

/**
 * The kind of steps that repeat, skip or await other steps. It does nothing itself: every step inside it becomes a plan of its own, which
 * a worker runs if its kinds allow it.
 *
 * @example
 * ```ts
 * import { controlKind } from '@agentm/harness'
 *
 * console.log(controlKind().name) // function:control
 * ```
 */
export function controlKind(): StepKind {
  return {
    name: controlKindName,
    natureOf: () => 'idempotent',
    async run(run) {
      // Read before the function begins. The steps before this one are done, so every pass reads the same.
      const scope = await scopeOf(run, controlledStepSchema.safeParse(run.step.input).data?.needs ?? [])
      const body = durable(controlFunction, { input: controlledStepSchema }, (made, step) =>
        runControlled(made, step, scope),
      )
      return body.run(run)
    },
  }
}

async function scopeOf(run: StepRun, needs: ControlledStep['needs']): Promise<Scope> {
  const { planId, owner, log } = run
  const plan = await log.latest(planId, { owner })
  const before = new Map((await run.dependencies()).map(({ id, result }) => [id, result]))
  const steps = needs.map(({ key, kind }) => {
    const result = before.get(stepIdIn(planId, key))
    const end = endOf(kind, result)
    // The result of a controlled step is its end, wrapped as results of functions are.
    return [key, { ...end, result: kind === controlKindName ? end : (result ?? null) }] as const
  })
  return { inputs: plan?.payload['input'] ?? {}, steps: Object.fromEntries(steps) }
}
