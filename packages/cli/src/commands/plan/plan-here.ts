/** The plan to create of a file: with the place where its steps work, and what a person should know of that. */
import type { NewPlan } from '@agentm/harness'
import type { Plans } from '@agentm/workspace'
import type { Call } from '../../command.ts'
import type { PlanFile } from '../../plan-file/parse-plan-file.ts'
import { placedHere, planOfFile } from './read-plan-file.ts'
import { treesOfCall, type TreesWish } from './trees-of-call.ts'

export async function planHere(
  call: Call,
  opened: Plans,
  { file, wish }: { readonly file: PlanFile; readonly wish: TreesWish },
): Promise<{ readonly plan: NewPlan; readonly said: readonly string[] }> {
  const { directory } = await call.workspace()
  const mode = wish.mode ?? file.trees ?? 'none'
  const { trees, said } = await treesOfCall(opened, { mode, withChanges: wish.withChanges, directory })
  const plan = await placedHere({ ...planOfFile(call, file), ...(trees && { trees }) }, call)
  return { plan, said }
}
