/** The plan that the text of a plan file describes, for programs that have no file. Other plan files cannot be named in it. */
import type { NewPlan } from '@agentm/harness'
import type { Workspace } from '@agentm/workspace'
import { inDirectory } from './in-directory.ts'
import { namedIn, parsePlanFile } from './parse-plan-file.ts'
import { PlanFileError } from './plan-file-error.ts'

const name = 'plan'

export async function planOfText(
  text: string,
  { inputs, workspace }: { readonly inputs: Readonly<Record<string, unknown>>; readonly workspace: Workspace },
): Promise<NewPlan> {
  const kinds = await workspace.stepKindNames(namedIn(text, name).kinds)
  const { trees: mode = 'none', ...file } = parsePlanFile(text, { file: name, kinds, given: inputs })
  const { goal, steps, input, inputs: declared, budget, check } = file
  if (goal === undefined) throw new PlanFileError([`${name}:1:1 it has no goal. Add one: goal: what it is for`])
  const plans = await workspace.plans()
  const apart = mode === 'none' ? undefined : await (await plans.trees()).plan(workspace.directory, { mode })
  const given = { ...(input && { input }), ...(declared && { inputs: declared }) }
  const limits = { ...given, ...(budget && { budget }), ...(check && { check }) }
  const plan = { goal, steps, ...limits, ...(apart && { trees: apart.trees }) }
  return plans.isLocal ? inDirectory(plan, workspace.directory) : plan
}
