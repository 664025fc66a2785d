/** Beliefs for programs that only look. Nothing is made: `undefined` where no log was ever written. */
import { type BeliefShelf, beliefShelf } from '@agentm/memory'
import { readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { logConcepts } from './log-concepts.ts'
import { nodesPlace } from './nodes-place.ts'
import { openLogReader } from './open-nodes.ts'
import { ownerName } from './owner-name.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedBeliefsReader {
  /** The configured owner. */
  readonly owner: string
  beliefs(owner: string): Pick<BeliefShelf, 'list' | 'show'>
  close(): Promise<void>
}

export async function openBeliefsReader(given?: SelectionWorld): Promise<OpenedBeliefsReader | undefined> {
  const world = given ?? (await workspaceWorld())
  const config = await readInstallConfig(world)
  const store = await openLogReader(nodesPlace(config, world), logConcepts)
  if (store === undefined) return undefined
  return {
    owner: ownerName(config),
    beliefs: (owner) => beliefShelf({ log: store.log, owner }),
    close: () => store.close(),
  }
}
