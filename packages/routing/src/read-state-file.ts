/** Reads a state file, and says which of three things it found: unreadable is never taken for absent. */
import { isSeamError, type Locator } from '@agentm/storage-seam'
import { harnessStateDir, type StatePlace } from './harness-state-dir.ts'
import type { Project } from './resolve-project.ts'
import { InvalidFileNameError } from './routing-errors.ts'

export type StateFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly error: unknown }

export async function readStateFile(project: Project, name: string): Promise<StateFile> {
  return await readIn(harnessStateDir(project), name)
}

export async function readIn(place: StatePlace, name: string): Promise<StateFile> {
  const at = stateFileLocator(place, name)
  try {
    return { kind: 'text', text: await place.backend.read(at) }
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return { kind: 'absent' }
    return { kind: 'unreadable', error }
  }
}

/** Refuses a name that is none, and one that would lead out. */
export function stateFileLocator({ locator }: Pick<StatePlace, 'locator'>, name: string): Locator {
  let at: Locator
  try {
    at = locator.child(name)
  } catch (error) {
    throw new InvalidFileNameError(name, { cause: error })
  }
  if (at.equals(locator)) throw new InvalidFileNameError(name)
  return at
}
