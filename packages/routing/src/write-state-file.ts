/**
 * Writes a state file where the project stores its state, or throws. It is never written elsewhere, because a plan in two places
 * would become two plans.
 */
import type { Locator } from '@agentm/storage-seam'
import { bindProject } from './bind-project.ts'
import { harnessStateDir } from './harness-state-dir.ts'
import { answeredIn, stateFileLocator } from './read-state-file.ts'
import type { Project } from './resolve-project.ts'

/**
 * Writes a state file where the project stores its state, or throws. It is never written elsewhere.
 *
 * @example
 * ```ts
 * import { type Project, writeStateFile } from '@agentm/routing'
 *
 * declare const project: Project
 * await writeStateFile(project, 'progress.md', '- the parser reads lists\n')
 * ```
 */
export async function writeStateFile(project: Project, name: string, text: string): Promise<Locator> {
  const place = harnessStateDir(project)
  const at = stateFileLocator(place, name)
  if (place.refusal !== undefined) throw place.refusal
  if (!place.local) await bindProject(project)
  return await answeredIn(place, at, place.backend.write(at, text))
}
