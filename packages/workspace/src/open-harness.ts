/**
 * Plans for one directory: the configured log, the configured owner, and workers that do what this user's config allows and
 * no more. Plans made here belong to the project of the directory.
 */
import { hostname } from 'node:os'
import { Worker as Thread } from 'node:worker_threads'
import {
  type Harness,
  openHarness as openHarnessOver,
  resumeWithModel,
  startWorker,
  type StepKind,
  threadHeartbeat,
  type Worker,
  type WorkerOptions,
} from '@agentm/harness'
import type { NodeStore } from '@agentm/nodes'
import type { Project } from '@agentm/routing'
import { readInstallConfig, type SelectionWorld } from '@agentm/selection'
import { configuredAgents, type ConfiguredAgents } from './configured-agents.ts'
import { findProject } from './find-project.ts'
import { harnessPolicy, type HarnessPolicy } from './harness-policy.ts'
import { type KindContext, kindsOf } from './kinds-of.ts'
import { logConcepts } from './log-concepts.ts'
import { type NodesPlace, nodesPlace } from './nodes-place.ts'
import { openLog } from './open-nodes.ts'
import { ownerName } from './owner-name.ts'
import { partitionOf } from './partition-of.ts'
import { routingWorld } from './routing-world.ts'
import { workspaceWorld } from './workspace-world.ts'

export interface OpenedHarness {
  /** For the configured owner. */
  readonly harness: Harness
  readonly store: NodeStore
  readonly owner: string
  readonly project: Project
  readonly policy: HarnessPolicy
  /** True where the log is a file of this device, so that paths in plans mean the same to every worker. */
  readonly isLocal: boolean
  /** The model and the tools that agents have here. */
  readonly agents: ConfiguredAgents
  /** What a worker started here runs: the kinds the config allows and has what they need for. */
  stepKinds(): Promise<readonly StepKind[]>
  /** One process of workers: the owners and kinds of the config, a lease renewed from a thread. */
  startWorker(options?: WorkerSettings): Promise<Worker>
  /** Stop workers before. */
  close(): Promise<void>
}

export type WorkerSettings = Pick<
  WorkerOptions,
  'plans' | 'slots' | 'perPartition' | 'leaseMs' | 'pollMs' | 'onError' | 'onRun' | 'runtime'
> &
  Pick<KindContext, 'onText'>

export interface OpenHarnessOptions {
  /** Kept as `createdBy` of what is done by hand; `agentm` where absent. */
  readonly actor?: string
  readonly world?: SelectionWorld
}

export async function openHarness(
  directory: string,
  { actor = 'agentm', world: given }: OpenHarnessOptions = {},
): Promise<OpenedHarness> {
  const world = given ?? (await workspaceWorld())
  const config = await readInstallConfig(world)
  const project = await findProject(directory, await routingWorld(world))
  const [place, policy, owner] = [nodesPlace(config, world), harnessPolicy(config, world), ownerName(config)]
  const store = await openLog(place, logConcepts)
  const partition = partitionOf(project)
  const agents = configuredAgents({ config, world, directory, owner, partition })
  const kindsWith = async (settings: Pick<KindContext, 'onText'>) =>
    kindsOf({ ...settings, policy, config, world, directory, log: store.log, agents })
  const harness = inPartition(openHarnessOver({ store, owner, actor }), partition)
  return {
    harness,
    agents,
    store,
    owner,
    project,
    policy,
    isLocal: place.url === undefined,
    stepKinds: () => kindsWith({}),
    async startWorker({ onText, ...settings } = {}) {
      const kinds = await kindsWith(onText === undefined ? {} : { onText })
      if ((await agents.model()) !== undefined && policy.kinds.includes('agent'))
        await goOnWithModel(harness, { store, owner, actor }, settings.plans)
      const heartbeat = threadHeartbeat({ startThread: () => beatThread(place) })
      const facts = { host: hostname(), pid: `${process.pid}` }
      return startWorker({ ...settings, store, owners: policy.owners, kinds, heartbeat, facts })
    },
    async close() {
      await agents.close()
      await store.close()
    },
  }
}

/** What waited because there was no model goes on, now that there is one. */
async function goOnWithModel(
  harness: Harness,
  context: Parameters<typeof resumeWithModel>[0],
  plans?: readonly string[],
): Promise<void> {
  const waiting =
    plans === undefined ? await harness.waiting() : await Promise.all(plans.map((id) => harness.waiting(id)))
  for (const planId of new Set(waiting.flat().map((step) => step.planId))) await resumeWithModel(context, planId)
}

function beatThread(place: NodesPlace): Thread {
  // No arguments of this process: conditions and inspectors are for its own modules.
  return new Thread(new URL('../bin/heartbeat-thread.mjs', import.meta.url), { workerData: place, execArgv: [] })
}

function inPartition(harness: Harness, partition: string): Harness {
  return { ...harness, createPlan: (plan) => harness.createPlan({ partition, ...plan }) }
}
