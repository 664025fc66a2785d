/** The kinds of steps a worker of this user runs: those the config allows, built in or of a plugin, made from what the config says. */
import { controlKind } from '@agentm/harness/control'
import type { Sandbox } from '@agentm/agent-loop'
import {
  type AgentKindOptions,
  approvalKind,
  checkKind,
  commandKind,
  httpKind,
  moduleKind,
  type StepKind,
  type StepRun,
} from '@agentm/harness'
import type { NodeLog } from '@agentm/nodes'
import type { InstallConfig, SelectionWorld } from '@agentm/selection/reader'
import { agentKindHere } from './agent-kind-here.ts'
import { codingAgentHere } from './coding-agent-here.ts'
import type { ConfiguredAgents } from './configured-agents.ts'
import { HarnessConfigError } from './harness-config-error.ts'
import type { HarnessPolicy } from './harness-policy.ts'
import { loadStepModule } from './load-step-module.ts'
import type { PluginKinds } from './plugin-kinds.ts'
import { pricedFirst } from './priced-first.ts'
import { isStepKindName, type StepKindName, stepKindNames } from './step-kind-names.ts'

export interface KindContext {
  readonly policy: HarnessPolicy
  readonly config: InstallConfig
  readonly world: SelectionWorld
  readonly log: NodeLog
  readonly agents: ConfiguredAgents
  /** Kinds that plugins bring. */
  readonly plugins: () => Promise<PluginKinds>
  /** The text that the model of an agent streams, piece by piece. */
  readonly onText?: AgentKindOptions['onText']
  /** The sandbox for programs of a step; `undefined` for none. */
  readonly sandboxFor: (run: StepRun) => Promise<Sandbox | undefined>
}

export async function kindsOf(context: KindContext): Promise<readonly StepKind[]> {
  const plugins = await context.plugins()
  const kinds = await Promise.all(context.policy.kinds.map((name) => kindNamed(name, plugins, context)))
  const model = context.policy.kinds.includes('agent') ? await context.agents.model() : undefined
  // Nobody has to allow the last two: one only starts steps of other kinds, and the other only carries a check.
  const all = [...kinds.filter((kind) => kind !== undefined), controlKind(), checkKind()]
  return all.map((kind) => pricedFirst(kind, model))
}

/** `undefined`: allowed, but something it needs is not configured yet. */
type MakeKind = (context: KindContext) => StepKind | undefined | Promise<StepKind | undefined>

const makers: Readonly<Record<StepKindName, MakeKind>> = {
  agent: (context) => agentKindHere(context),
  approval: () => approvalKind(),
  command: ({ sandboxFor }) => commandKind({ sandboxOf: sandboxFor }),
  http: () => httpKind(),
  module: ({ policy }) => moduleKind({ load: (name) => loadStepModule(name, policy) }),
  'claude-code': (context) => codingAgentHere('claude-code', context),
  codex: (context) => codingAgentHere('codex', context),
  gemini: (context) => codingAgentHere('gemini', context),
  opencode: (context) => codingAgentHere('opencode', context),
}

async function kindNamed(name: string, { found }: PluginKinds, context: KindContext): Promise<StepKind | undefined> {
  if (isStepKindName(name)) return makers[name](context)
  const plugin = found.get(name)
  if (plugin !== undefined) return plugin.kind
  throw new HarnessConfigError(
    `harness.kinds names ${JSON.stringify(name)}, and there is no such kind of step. There are: ${stepKindNames.join(', ')}. ` +
      'No installed plugin brings it, either. Install the package that does (npm install --prefix ~/.claude NAME), or correct harness.kinds.',
  )
}
