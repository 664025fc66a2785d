/** The place of a project's plan and progress files: in the store, or in the checkout. */
import type { Locator, StorageBackend } from '@agentm/storage-seam'
import type { Project } from './resolve-project.ts'

/** The place of a project's plan and progress files. */
export interface StatePlace {
  readonly backend: StorageBackend
  readonly locator: Locator
  /** Whether it is below the checkout. */
  readonly local: boolean
  /** Why nothing may be written here: this is only where to read while the right place cannot be had. */
  readonly refusal?: Error
}

/**
 * The place of PLAN.md and progress.md of a project: in the store, or in the checkout.
 *
 * @example
 * ```ts
 * import { harnessStateDir, type Project } from '@agentm/routing'
 *
 * declare const project: Project
 * const place = harnessStateDir(project)
 * ```
 */
export function harnessStateDir(project: Project): StatePlace {
  const local = { backend: project.localState, locator: project.localState.resolve(), local: true }
  // Programs that know no such name look for the plan in the checkout, and it was always there.
  if (project.stateMode === 'local' || project.namedBy === 'root') return local
  if (project.selectionError !== undefined) return { ...local, refusal: project.selectionError }
  const { backend, projectLocator, bindingError } = project
  if (backend === undefined || projectLocator === undefined || !backend.capabilities.sync) return local
  if (bindingError !== undefined) return { ...local, refusal: bindingError }
  return { backend, locator: projectLocator.child('_harness'), local: false }
}
