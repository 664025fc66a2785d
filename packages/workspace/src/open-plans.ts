/**
 * Plans for one directory: the configured log, the configured owner, and workers that do what this user's config allows and
 * no more. Plans made here belong to the project of the directory.
 */
import { hostname } from 'node:os'
import { Worker as Thread } from 'node:worker_threads'
import type { CheckCommand } from '@agentm/harness/control'
import {
  type Harness,
  type NewPlan,
  openHarness,
  resumeWithModel,
  startWorker,
  type StepKind,
  type StepRun,
  threadHeartbeat,
  type Worker,
  type WorkerOptions,
} from '@agentm/harness'
import { needsPrices } from '@agentm/harness/control'
import type { Trees } from '@agentm/harness/trees'
import type { NodeStore } from '@agentm/nodes'
import type { Project } from '@agentm/routing'
import { type ConfirmedChecks, confirmedChecks } from './confirmed-checks.ts'
import { configuredAgents, type ConfiguredAgents } from './configured-agents.ts'
import { harnessPolicy, type HarnessPolicy } from './harness-policy.ts'
import { HarnessConfigError } from './harness-config-error.ts'
import { type KindContext, kindsOf } from './kinds-of.ts'
import { keptApart } from './kept-apart.ts'
import type { LogAt } from './open-nodes.ts'
import { forkingHere } from './forking-here.ts'
import { once } from './once.ts'
import { type OpenedPlanner, plannerOf, type PlannerOptions } from './open-planner.ts'
import { partitionOf } from './partition-of.ts'
import { pluginKinds } from './plugin-kinds.ts'
import { sandboxHere, type SandboxState } from './sandbox-here.ts'
import type { WorkspaceObserver } from './workspace-observer.ts'
import type { WorkspaceParts } from './workspace-parts.ts'

/** Plans for one directory: create them, run them, and start workers that do what the configuration allows. */
export interface Plans {
  /** For the configured owner. */
  readonly harness: Harness
  /** The same, for another component: what it writes is recorded as its own. */
  harnessAs(actor: string): Harness
  readonly store: NodeStore
  readonly owner: string
  readonly project: Project
  readonly policy: HarnessPolicy
  /** True where the log is a file of this device, so that paths in plans mean the same to every worker. */
  readonly isLocal: boolean
  /** The model and the tools that agents have here. */
  readonly agents: ConfiguredAgents
  /** The project that plans made here belong to; `_global` for none. */
  readonly partition: string
  /** Refuses a plan that limits money and has steps for agents, if the model has no price. Ask before it is started. */
  checkMoney(plan: Partial<Pick<NewPlan, 'budget' | 'steps'>>): Promise<void>
  /** Goals: the configured model takes them apart, with what memory knows of them. */
  planner(options?: PlannerOptions): Promise<OpenedPlanner>
  /** The checks that a person chose for the project's directory. */
  readonly checks: ConfirmedChecks
  /** Whether a worker started here may run this program of a check. */
  readonly mayCheckWith: (command: CheckCommand) => Promise<boolean>
  /** What a worker started here runs: the kinds the config allows and has what they need for. */
  stepKinds(): Promise<readonly StepKind[]>
  /** Where steps work that are kept apart. */
  trees(): Promise<Trees>
  /** Whether programs of steps run in a sandbox here. */
  sandbox(): Promise<SandboxState>
  /** One process of workers: the owners and kinds of the config, a lease renewed from a thread. */
  startWorker(options?: WorkerSettings): Promise<Worker>
  /** Ends the tools that were started. The workspace does so when it is closed. */
  close(): Promise<void>
}

/** What may be set for a worker of this workspace. */
export type WorkerSettings = Pick<
  WorkerOptions,
  'plans' | 'slots' | 'perPartition' | 'leaseMs' | 'pollMs' | 'onError' | 'onRun' | 'runtime'
> &
  Pick<KindContext, 'onText'>

export async function openPlans(parts: WorkspaceParts): Promise<Plans> {
  const { actor, directory, world } = parts
  const [config, owner, project, at] = [
    await parts.config(),
    await parts.owner(),
    await parts.project(),
    await parts.logAt(),
  ]
  const policy = harnessPolicy(config, world)
  const observer = await parts.observer()
  const store = await observedLog(parts, { observer, owners: policy.owners })
  const partition = partitionOf(project)
  const agents = configuredAgents({ config, world, directory, owner, partition, memory: parts.memory, observer })
  const plugins = once(() => pluginKinds(policy.kinds, { config, world }))
  const kindsWith = async (settings: Pick<KindContext, 'onText'>) =>
    kindsOf({ ...settings, policy, config, world, log: store.log, agents, plugins, sandboxFor })
  const apart = once(() => keptApart(store, { config, world }))
  const checks = confirmedChecks(parts.state, project.projectRoot)
  const mayCheckWith = async (command: CheckCommand) => policy.kinds.includes('command') || checks.isConfirmed(command)
  const sandbox = once(() => sandboxHere({ config, world }))
  const sandboxFor = async (run: StepRun) =>
    (await sandbox()).of((await (await apart()).placesOf(run)) ?? { writable: [directory], readable: [] })
  const harnessHere = (by: string): Harness =>
    forkingHere(
      inPartition(openHarness({ store, owner, actor: by }), partition),
      once(async () => (await apart()).trees),
    )
  const harness = harnessHere(actor)
  return {
    harness,
    harnessAs: harnessHere,
    async checkMoney(plan) {
      if (needsPrices(plan)) await agents.checkPriced()
    },
    agents,
    checks,
    mayCheckWith,
    store,
    owner,
    project,
    policy,
    partition,
    isLocal: at.url === undefined,
    stepKinds: async () => (await apart()).kinds(await kindsWith({})),
    trees: async () => (await apart()).trees,
    sandbox: async () => (await sandbox()).state,
    planner: (options) => plannerOf(parts, { store, owner, agents }, options),
    async startWorker({ onText, ...settings } = {}) {
      const { state } = await sandbox()
      if (state.wanted === 'required' && !state.isInForce) throw new HarnessConfigError(state.text)
      const own = await apart()
      const found = own.kinds(await kindsWith(onText === undefined ? {} : { onText }))
      const kinds = observer === undefined ? found : found.map((kind) => observer.kind(kind))
      if ((await agents.model()) !== undefined && policy.kinds.includes('agent'))
        await goOnWithModel(harness, { store, owner, actor }, settings.plans)
      const heartbeat = threadHeartbeat({ startThread: () => beatThread(at) })
      const facts = { host: hostname(), pid: `${process.pid}` }
      const judge = async () => (await agents.model('judge'))?.model
      return startWorker({
        ...settings,
        store,
        owners: policy.owners,
        kinds,
        heartbeat,
        facts,
        checks: { judge, mayRun: mayCheckWith, sandboxOf: sandboxFor },
        directoryOf: async (run) => (await own.directoryOf(run)) ?? directory,
      })
    },
    close: () => agents.close(),
  }
}

async function observedLog(
  parts: WorkspaceParts,
  { observer, owners }: { readonly observer: WorkspaceObserver | undefined; readonly owners: readonly string[] },
): Promise<NodeStore> {
  const store = await parts.log()
  return observer?.store(store, { owners }) ?? store
}

/** Continues steps that waited because there was no model. */
async function goOnWithModel(
  harness: Harness,
  context: Parameters<typeof resumeWithModel>[0],
  plans?: readonly string[],
): Promise<void> {
  const waiting =
    plans === undefined ? await harness.waiting() : await Promise.all(plans.map((id) => harness.waiting(id)))
  for (const planId of new Set(waiting.flat().map((step) => step.planId))) await resumeWithModel(context, planId)
}

function beatThread(at: LogAt): Thread {
  // No arguments of this process: conditions and inspectors are for its own modules.
  return new Thread(new URL('../bin/heartbeat-thread.mjs', import.meta.url), { workerData: at, execArgv: [] })
}

function inPartition(harness: Harness, partition: string): Harness {
  return {
    ...harness,
    createPlan: (plan) => harness.createPlan({ partition, ...plan }),
    schedule: (name, schedule, options) => harness.schedule(name, { partition, ...schedule }, options),
  }
}
