/** The current work in a project, for people. It changes nothing, and reports files that it cannot read. */
import { harnessStateDir, type StatePlace } from './harness-state-dir.ts'
import { plansIn } from './list-plan-files.ts'
import { progressBeside } from './pure/plan-name.ts'
import { type QueuedPlan, queueLines } from './pure/queue-lines.ts'
import { answeredIn, readIn } from './read-state-file.ts'
import type { Project } from './resolve-project.ts'

/**
 * `directory` is the name that the caller shows for the directory.
 *
 * @example
 * ```ts
 * import { type Project, queueStatus } from '@agentm/routing'
 *
 * declare const project: Project
 * console.log((await queueStatus(project, 'acme')).join('\n'))
 * ```
 */
export async function queueStatus(project: Project, directory: string): Promise<string[]> {
  const place = harnessStateDir(project)
  if (!(await isDirectory(place))) return queueLines(directory, undefined)
  const names = await plansIn(place)
  return queueLines(directory, await Promise.all(names.map((name) => queued(place, name))))
}

async function queued(place: StatePlace, name: string): Promise<QueuedPlan> {
  const [plan, progress] = await Promise.all([readIn(place, name), readIn(place, progressBeside(name) ?? name)])
  return { name, text: plan.kind === 'text' ? plan.text : undefined, progress }
}

async function isDirectory(place: StatePlace): Promise<boolean> {
  const { backend, locator } = place
  const isThere = await answeredIn(place, locator, backend.exists(locator))
  return isThere && (await answeredIn(place, locator, backend.info(locator))).isDir
}
