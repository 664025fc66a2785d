/** Where a project's plan and progress files are: in the store, or in the checkout. */
import type { Locator, StorageBackend } from '@agentm/storage-seam'
import type { Project } from './resolve-project.ts'

/** Where a project's plan and progress files are. */
export interface StatePlace {
  readonly backend: StorageBackend
  readonly locator: Locator
  /** Whether it is below the checkout. */
  readonly local: boolean
  /** Why no file may be written here. The place is then only for reading, while the right one is unavailable. */
  readonly refusal?: Error
}

/**
 * Where PLAN.md and progress.md of a project are: in the store, or in the checkout.
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
  // A project named after its directory keeps its state in the checkout, because other programs look for the plan there.
  if (project.stateMode === 'local' || project.namedBy === 'root') return local
  if (project.selectionError !== undefined) return { ...local, refusal: project.selectionError }
  const { backend, projectLocator, bindingError } = project
  if (backend === undefined || projectLocator === undefined || !backend.capabilities.sync) return local
  if (bindingError !== undefined) return { ...local, refusal: bindingError }
  return { backend, locator: projectLocator.child('_harness'), local: false }
}
