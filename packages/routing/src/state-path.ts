/**
 * Where the active plan or its progress is on this machine: the one place where routing makes a path. It names a file and
 * looks at none but the marker; the directory comes from the user's config, never from a backend.
 */
import { join } from 'node:path'
import { findStoreRoot } from '@agentm/selection/reader'
import type { FilePath } from '@agentm/vault-lock'
import { harnessStateDir } from './harness-state-dir.ts'
import { harnessDirectory } from './project-file.ts'
import { resolveActivePlan } from './resolve-active-plan.ts'
import type { Project } from './resolve-project.ts'
import type { RoutingWorld } from './routing-world.ts'

export type StatePathQuestion = { readonly which: 'plan' | 'progress'; readonly plan?: string | undefined }

export async function statePath(
  project: Project,
  { which, plan }: StatePathQuestion,
  world: RoutingWorld,
): Promise<FilePath> {
  if (which !== 'plan' && which !== 'progress') throw new TypeError('statePath answers "plan" or "progress"')
  const { pair } = await resolveActivePlan(project, { plan })
  return join(await stateDirectory(project, world), pair[which]) as FilePath
}

async function stateDirectory(project: Project, world: RoutingWorld): Promise<string> {
  const { local, locator } = harnessStateDir(project)
  const root = local ? undefined : await storeRoot(world)
  return root === undefined ? harnessDirectory(project.projectRoot) : join(root, ...locator.parts)
}

async function storeRoot({ selection, registry }: RoutingWorld): Promise<FilePath | undefined> {
  return await findStoreRoot({ world: selection, ...(registry === undefined ? {} : { registry }) })
}
