/**
 * The path of the active plan or its progress file, the only path that routing returns. A file behind a link that leads out is
 * refused. The directory comes from the user's config, never from a backend.
 */
import { join } from 'node:path'
import { findStoreRoot } from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'
import { isSeamError } from '@agentm/storage-seam'
import { harnessStateDir, type StatePlace } from './harness-state-dir.ts'
import { harnessDirectory } from './project-file.ts'
import { answeredIn } from './read-state-file.ts'
import { resolveActivePlan } from './resolve-active-plan.ts'
import type { Project } from './resolve-project.ts'
import { isRoutingError } from './routing-errors.ts'
import type { RoutingWorld } from './routing-world.ts'

/** Which state file is wanted. */
export type StatePathQuestion = { readonly which: 'plan' | 'progress'; readonly plan?: string | undefined }

/**
 * The file path of the active plan, or of its progress. Refuses a file behind a link that leads out of the checkout.
 *
 * @example
 * ```ts
 * import { type Project, type RoutingWorld, statePath } from '@agentm/routing'
 *
 * declare const project: Project
 * declare const world: RoutingWorld
 * const file = await statePath(project, { which: 'progress' }, world)
 * ```
 */
export async function statePath(
  project: Project,
  { which, plan }: StatePathQuestion,
  world: RoutingWorld,
): Promise<FilePath> {
  if (which !== 'plan' && which !== 'progress') throw new TypeError('statePath answers "plan" or "progress"')
  const { pair } = await resolveActivePlan(project, { plan })
  await refuseLinkOut(harnessStateDir(project), pair[which])
  return join(await stateDirectory(project, world), pair[which]) as FilePath
}

/** Refuses links, because the caller opens the path and would follow them. */
async function refuseLinkOut(place: StatePlace, name: string): Promise<void> {
  const at = place.locator.child(name)
  try {
    await answeredIn(place, at, place.backend.exists(at))
  } catch (error) {
    // Other errors of the store appear when the file is written. The path is the same.
    if (isSeamError(error, 'OUTSIDE_STORE') || isRoutingError(error, 'OUTSIDE_CHECKOUT')) throw error
  }
}

async function stateDirectory(project: Project, world: RoutingWorld): Promise<string> {
  const { local, locator } = harnessStateDir(project)
  const root = local ? undefined : await storeRoot(world)
  return root === undefined ? harnessDirectory(project.projectRoot) : join(root, ...locator.parts)
}

async function storeRoot({ selection, registry }: RoutingWorld): Promise<FilePath | undefined> {
  return await findStoreRoot({ world: selection, ...(registry === undefined ? {} : { registry }) })
}
