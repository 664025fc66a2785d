/** The plan to create of a file: with the place where its steps work, and what a person should know of that. */
import type { NewPlan } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import type { Call } from '../../command.ts'
import type { PlanFile } from '../../plan-file/parse-plan-file.ts'
import { placedHere, planOfFile } from './read-plan-file.ts'
import { refuseCommitted, type TreesMode, treesOfCall, treesWish } from './trees-of-call.ts'

export interface FileWish {
  readonly mode: TreesMode
  readonly committed: boolean
}

/** Where the steps of a file work: as the options say, else as the file says. */
export function wishForFile(call: Call, { trees = 'none' }: PlanFile): FileWish {
  const { mode = trees, committed } = treesWish(call)
  refuseCommitted(mode, committed)
  return { mode, committed }
}

export async function planHere(
  call: Call,
  opened: Plans,
  { file, wish }: { readonly file: PlanFile; readonly wish: FileWish },
): Promise<{ readonly plan: NewPlan; readonly said: readonly string[] }> {
  const { directory } = await call.workspace()
  const { trees, said } = await treesOfCall(opened, { ...wish, directory })
  const plan = await placedHere({ ...planOfFile(call, file), ...(trees && { trees }) }, call)
  return { plan, said }
}
