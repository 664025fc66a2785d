/** What a directory is to routing that belongs to no project and is in no checkout: a program's own data, for example. */
import type { FilePath } from '@agentm/vault-lock'
import { harnessDirectory } from './project-file.ts'
import type { Project } from './resolve-project.ts'
import type { RoutingWorld } from './routing-world.ts'

/** What routing answers for a directory that belongs to no project. */
export function noProject(root: FilePath, world: RoutingWorld): Project {
  return {
    projectRoot: root,
    layout: 'none',
    binding: 'unbound',
    checkout: { root },
    registers: false,
    localState: world.openLocal(harnessDirectory(root)),
    findPlanMarker: async () => undefined,
    notices: [],
  }
}
