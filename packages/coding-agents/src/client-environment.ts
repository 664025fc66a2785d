/** The variables that a coding agent sees: those that every program may see, those that say where its files are, and allowed ones. */
import { childEnvironment } from '@agentm/agent-loop/internal'
import type { StepRun } from '@agentm/harness'
import { type CodingAgentName, codingAgents } from './coding-agents.ts'

interface Allowed {
  readonly name: CodingAgentName
  readonly environment: Readonly<Record<string, string | undefined>> | undefined
  readonly variables: readonly string[] | undefined
}

export function clientEnvironment(
  run: StepRun,
  { name, environment = process.env, variables = [] }: Allowed,
): Readonly<Record<string, string>> {
  return {
    ...childEnvironment(environment),
    ...childEnvironment(environment, [...codingAgents[name].places, ...variables]),
    AGENTM_PLAN_ID: run.planId,
    AGENTM_STEP_ID: run.id,
    AGENTM_ATTEMPT: `${run.step.attempt}`,
    AGENTM_IDEMPOTENCY_KEY: run.step.idempotencyKey,
  }
}
