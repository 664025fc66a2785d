/** The project a directory belongs to. */
import path from 'node:path'
import { type Project, resolveProject, type RoutingWorld } from '@agentm/routing/reader'
import { filePath } from '@agentm/vault-lock'

export async function findProject(directory: string, world: RoutingWorld): Promise<Project> {
  return resolveProject({ cwd: filePath(path.resolve(directory)) }, world)
}
