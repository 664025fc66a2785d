/** Plans of the configured owner, for programs that only ask. Nothing is made: `undefined` where no log was ever written. */
import { type Harness, openHarness as openHarnessOver, openRoster, type Roster } from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import { readInstallConfig, type SelectionWorld } from '@agentm/selection/reader'
import { harnessPolicy, type HarnessPolicy } from './harness-policy.ts'
import { logConcepts } from './log-concepts.ts'
import { nodesPlace } from './nodes-place.ts'
import { openLogReader } from './open-nodes.ts'
import { ownerName } from './owner-name.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedHarnessReader {
  readonly harness: Pick<Harness, 'plan' | 'step' | 'usage' | 'waiting' | 'ended'>
  readonly roster: Pick<Roster, 'list' | 'agent'>
  /** To read. */
  readonly log: Pick<NodeStore['log'], 'scan' | 'latest' | 'history' | 'position'>
  readonly work: Pick<NodeStore['work'], 'now' | 'sessions' | 'abandoned' | 'tally'>
  readonly owner: string
  /** What this user's workers may do. */
  readonly policy: HarnessPolicy
  close(): Promise<void>
}

export async function openHarnessReader(given?: SelectionWorld): Promise<OpenedHarnessReader | undefined> {
  const world = given ?? (await workspaceWorld())
  const config = await readInstallConfig(world)
  const owner = ownerName(config)
  const store = await openLogReader(nodesPlace(config, world), logConcepts)
  if (store === undefined) return undefined
  const { log, work } = store
  const harness = openHarnessOver({ store, owner, actor: 'reader' })
  const roster = openRoster({ store, owner, actor: 'reader' })
  return { harness, roster, log, work, owner, policy: harnessPolicy(config, world), close: () => store.close() }
}
