/** Reads a state file. An unreadable file is never treated as absent. */
import { isSeamError, type Locator } from '@agentm/storage-seam'
import { harnessStateDir, type StatePlace } from './harness-state-dir.ts'
import { isStateFileName } from './pure/state-file-name.ts'
import type { Project } from './resolve-project.ts'
import { InvalidFileNameError, OutsideCheckoutError } from './routing-errors.ts'

/** The answer of `readStateFile`: text, absent or unreadable. */
export type StateFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly error: unknown }

/**
 * Reads PLAN.md, progress.md or another state file of a project. Absent and unreadable are different answers.
 *
 * @example
 * ```ts
 * import { type Project, readStateFile } from '@agentm/routing'
 *
 * declare const project: Project
 * const plan = await readStateFile(project, 'PLAN.md')
 * if (plan.kind === 'text') console.log(plan.text)
 * ```
 */
export async function readStateFile(project: Project, name: string): Promise<StateFile> {
  return await readIn(harnessStateDir(project), name)
}

export async function readIn(place: StatePlace, name: string): Promise<StateFile> {
  const at = stateFileLocator(place, name)
  try {
    return { kind: 'text', text: await answeredIn(place, at, place.backend.read(at)) }
  } catch (error) {
    if (isSeamError(error, 'NOT_FOUND')) return { kind: 'absent' }
    return { kind: 'unreadable', error }
  }
}

/** Refuses a name that is not one of a state file. */
export function stateFileLocator({ locator }: Pick<StatePlace, 'locator'>, name: string): Locator {
  if (!isStateFileName(name)) throw new InvalidFileNameError(name)
  try {
    return locator.child(name)
  } catch (error) {
    throw new InvalidFileNameError(name, { cause: error })
  }
}

/** Turns the refusal of a link into a message about the checkout. Any other error is passed on. */
export async function answeredIn<T>({ local }: StatePlace, at: Locator, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!local || !isSeamError(error, 'OUTSIDE_STORE')) throw error
    throw new OutsideCheckoutError(at.key === '' ? '.harness' : `.harness/${at.key}`, { cause: error })
  }
}
