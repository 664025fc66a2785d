/** Whether the memory of this project has a store that can be read. */
import type { Project } from './resolve-project.ts'

/**
 * Whether this project has a backend that memory can be read from.
 *
 * @example
 * ```ts
 * import { isAvailable, type Project } from '@agentm/routing'
 *
 * declare const project: Project
 * if (!isAvailable(project)) console.error(project.selectionError)
 * ```
 */
export function isAvailable({ backend, selectionError }: Project): boolean {
  return backend !== undefined && selectionError === undefined
}
