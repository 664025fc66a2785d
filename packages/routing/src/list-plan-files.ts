/** The plan files of a project: the one without a name first, then the named ones in order. */
import type { StatePlace } from './harness-state-dir.ts'
import { harnessStateDir } from './harness-state-dir.ts'
import { isConflictCopy } from './pure/is-conflict-copy.ts'
import { progressBeside, singlePlan } from './pure/plan-name.ts'
import type { Project } from './resolve-project.ts'

export async function listPlanFiles(project: Project): Promise<string[]> {
  return await plansIn(harnessStateDir(project))
}

export async function plansIn({ backend, locator }: StatePlace): Promise<string[]> {
  const children = await backend.list(locator)
  const names = new Set(children.map(({ name }) => name))
  const plans = [...names].filter((name) => progressBeside(name) !== undefined && !isConflictCopy(name, names))
  const files = await Promise.all(
    plans.map(async (name) => ((await backend.info(locator.child(name))).isDir ? undefined : name)),
  )
  const found = files.filter((name) => name !== undefined)
  // The store lists by code point, which would put PLAN-a.md before PLAN.md.
  return [...found.filter((name) => name === singlePlan.plan), ...found.filter((name) => name !== singlePlan.plan)]
}
