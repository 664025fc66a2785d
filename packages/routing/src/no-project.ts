/** The routing result for a directory outside of any project and checkout, for example a program's own data. */
import type { FilePath } from '@agentm/vault-lock'
import { harnessDirectory } from './project-file.ts'
import type { Project } from './resolve-project.ts'
import type { RoutingWorld } from './routing-world.ts'

/** The routing result for a directory that belongs to no project. */
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
