/** Whether there is a store to ask for this project's memory, on this device or replicated. */
import type { Project } from './resolve-project.ts'

/** Whether this project has a backend that memory can be read from. */
export function isAvailable({ backend, selectionError }: Project): boolean {
  return backend !== undefined && selectionError === undefined
}
