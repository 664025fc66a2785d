import path from 'node:path'
import { agentmHome, type SelectionWorld } from '@agentm/selection/reader'

/** The directory that holds the trees of this machine. */
export function treesRoot(world: SelectionWorld): string {
  return path.join(agentmHome(world), 'trees')
}
