/**
 * Sets the project name of a checkout: `vault_project` in its `.harness/project.json`, which every program reads first. Data that
 * was stored under another name stays there.
 */
import { formatJson, type JsonObject, parseJson } from '@agentm/selection/reader'
import { bindProject } from './bind-project.ts'
import { findCheckout } from './find-checkout.ts'
import { findProjectFile, harnessDirectory } from './project-file.ts'
import { bindingOf, describeBindings } from './pure/project-binding.ts'
import { slugObjection } from './pure/slug.ts'
import { findRepo } from './read-repos.ts'
import { type Project, resolveProject } from './resolve-project.ts'
import { InvalidSlugError, SlugBoundError, UnreadableFileError } from './routing-errors.ts'
import type { RoutingWorld } from './routing-world.ts'

/**
 * Returns the changed project. A name that belongs to another repository is refused, and nothing is written.
 *
 * @example
 * ```ts
 * import { nameProject, type RoutingWorld } from '@agentm/routing'
 *
 * declare const world: RoutingWorld
 * const { slug } = await nameProject('/srv/checkouts/acme', 'acme', world)
 * ```
 */
export async function nameProject(cwd: string, slug: string, world: RoutingWorld): Promise<Project> {
  const why = slugObjection(slug)
  if (why !== undefined) throw new InvalidSlugError(slug, { from: 'the command', why })
  await refuseForeign(slug, await resolveIfNamed(cwd, world))
  const { root, main } = await findCheckout(cwd, world.selection.home)
  // A worktree uses the name of its main repository, unless it has a file of its own.
  const home = (await findProjectFile(root, 'project.json')) === undefined ? main : root
  const files = world.openLocal(harnessDirectory(home))
  await files.update(files.resolve('project.json'), (text) => withName(text, slug))
  const project = await resolveProject({ cwd }, world)
  if (project.selectionError !== undefined || project.bindingError !== undefined) return project
  await bindProject(project)
  return await resolveProject({ cwd }, world)
}

/** The old name may be invalid, and this call corrects it, so its refusal is ignored. */
async function resolveIfNamed(cwd: string, world: RoutingWorld): Promise<Project | undefined> {
  try {
    return await resolveProject({ cwd }, world)
  } catch (error) {
    if (error instanceof InvalidSlugError) return undefined
    throw error
  }
}

async function refuseForeign(slug: string, project: Project | undefined): Promise<void> {
  if (project?.backend === undefined) return
  const bindings = (await findRepo(project.backend, slug))?.bindings ?? []
  if (bindingOf(bindings, project.checkout) === 'foreign') throw new SlugBoundError(slug, describeBindings(bindings))
}

function withName(text: string | undefined, slug: string): string {
  const document = text === undefined ? new Map() : parsed(text)
  document.set('vault_project', slug)
  return formatJson(document)
}

function parsed(text: string): JsonObject {
  try {
    const value = parseJson(text)
    if (value instanceof Map) return value
  } catch (error) {
    throw new UnreadableFileError(`.harness/project.json is not JSON (${String(error)}).`, { cause: error })
  }
  throw new UnreadableFileError('.harness/project.json does not hold an object.')
}
