import type { Model } from '@agentm/agent-loop'
import type { CommandSurroundings } from '../kinds/run-step-program.ts'
import type { StepRun } from '../step-kind.ts'
import type { CheckCommand } from './check.ts'

/** What a worker needs for the checks of steps. */
export interface CheckOptions extends CommandSurroundings {
  /** Judges results by a rubric. */
  readonly judge?: () => Promise<Model | undefined>
  /** Whether a program of a check may run here (default: yes, if this worker runs steps of kind `command`). */
  readonly mayRun?: (command: CheckCommand, run: StepRun) => Promise<boolean>
}
