/** Runs a program for a step, or for its check: with the allowed variables, those that name the step, and in the sandbox of the step. */
import type { Sandbox } from '@agentm/agent-loop'
import { childEnvironment, type ProgramEnd, runProgram } from '@agentm/agent-loop/internal'
import type { StepRun } from '../step-kind.ts'

/** What a program may see and reach of the machine of its worker. */
export interface CommandSurroundings {
  /** The environment that allowed variables are read from (default: this process's environment). */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Names of the environment variables that a program can see. */
  readonly allowed?: readonly string[]
  /** The sandbox for the programs of a step (default: none). */
  readonly sandboxOf?: (run: StepRun) => Promise<Sandbox | undefined>
}

export interface StepProgram {
  readonly command: string
  readonly args: readonly string[]
  readonly directory: string
  readonly stdin: string | undefined
  readonly maxOutputBytes: number
  /** More environment variables, in addition to the allowed ones. */
  readonly own?: Readonly<Record<string, string>>
}

export async function runStepProgram(
  run: StepRun,
  { own = {}, ...given }: StepProgram,
  { sandboxOf, signal = run.signal, ...surroundings }: CommandSurroundings & { readonly signal?: AbortSignal },
): Promise<ProgramEnd> {
  const program = { ...given, environment: environmentOf(run, own, surroundings) }
  const sandbox = await sandboxOf?.(run)
  return runProgram((await sandbox?.(program)) ?? program, { signal, runtime: run.runtime })
}

function environmentOf(
  { planId, id, step }: StepRun,
  own: Readonly<Record<string, string>>,
  { environment = process.env, allowed }: Omit<CommandSurroundings, 'sandboxOf'>,
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
