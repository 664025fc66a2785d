/** The plan files of a project: the one without a name first, then the named ones in order. */
import { isSeamError } from '@agentm/storage-seam'
import { harnessStateDir, type StatePlace } from './harness-state-dir.ts'
import { isConflictCopy } from './pure/is-conflict-copy.ts'
import { progressBeside, singlePlan } from './pure/plan-name.ts'
import { answeredIn } from './read-state-file.ts'
import type { Project } from './resolve-project.ts'

/**
 * The plan files of a project: PLAN.md first, then the named plans in order.
 *
 * @example
 * ```ts
 * import { listPlanFiles, type Project } from '@agentm/routing'
 *
 * declare const project: Project
 * for (const name of await listPlanFiles(project)) console.log(name)
 * ```
 */
export async function listPlanFiles(project: Project): Promise<string[]> {
  return await plansIn(harnessStateDir(project))
}

export async function plansIn(place: StatePlace): Promise<string[]> {
  const { backend, locator } = place
  const children = await answeredIn(place, locator, backend.list(locator))
  const names = new Set(children.map(({ name }) => name))
  const plans = [...names].filter((name) => progressBeside(name) !== undefined && !isConflictCopy(name, names))
  const areFiles = await Promise.all(plans.map((name) => isFile(place, name)))
  const found = plans.filter((_, i) => areFiles[i])
  // The store sorts by code point, which would put PLAN-a.md before PLAN.md.
  return [...found.filter((name) => name === singlePlan.plan), ...found.filter((name) => name !== singlePlan.plan)]
}

/** A link that leads out of the directory is not a plan of this project. */
async function isFile({ backend, locator }: StatePlace, name: string): Promise<boolean> {
  try {
    return !(await backend.info(locator.child(name))).isDir
  } catch (error) {
    if (isSeamError(error, 'OUTSIDE_STORE') || isSeamError(error, 'NOT_FOUND')) return false
    throw error
  }
}
