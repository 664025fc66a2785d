/** The environment of a program that a step runs: the allowed variables, and those that name the step. */
import { childEnvironment } from '@agentm/agent-loop/internal'
import type { StepRun } from '../step-kind.ts'

/** What a program may see of the environment of its worker. */
export interface CommandSurroundings {
  /** The environment that allowed variables are read from (default: this process's environment). */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names of the environment variables that a program can see. */
  readonly allowed?: readonly string[]
}

export function commandEnvironment(
  { planId, id, step }: Pick<StepRun, 'planId' | 'id' | 'step'>,
  own: Readonly<Record<string, string>>,
  { environment = process.env, allowed }: CommandSurroundings,
): Record<string, string> {
  return {
    ...childEnvironment(environment, allowed),
    ...own,
    AGENTM_PLAN_ID: planId,
    AGENTM_STEP_ID: id,
    AGENTM_ATTEMPT: `${step.attempt}`,
    AGENTM_IDEMPOTENCY_KEY: step.idempotencyKey,
  }
}
