/**
 * Steps of kind `agent` on this worker. Without a model, they wait for a model or for a person. The files of an agent belong to one
 * project, so a step of another project waits for a worker in that project.
 */
import type { Sandbox } from '@agentm/agent-loop'
import {
  agentKind,
  type AgentKindOptions,
  agentWithoutModel,
  assignmentOf,
  type StepKind,
  type StepOutcome,
  type StepRun,
  stepTodo,
} from '@agentm/harness'
import type { NodeLog } from '@agentm/nodes'
import type { ConfiguredAgents } from './configured-agents.ts'
import { settingForTool } from './setting-for-tool.ts'

export interface AgentKindPlace {
  readonly agents: ConfiguredAgents
  readonly log: NodeLog
  readonly onText?: AgentKindOptions['onText']
  /** The sandbox for programs that the agent runs; `undefined` for none. */
  readonly sandboxFor: (run: StepRun) => Promise<Sandbox | undefined>
}

export async function agentKindHere({ agents, log, onText, sandboxFor }: AgentKindPlace): Promise<StepKind> {
  const configured = await agents.model()
  if (configured === undefined) return agentWithoutModel()
  const { model, loop } = configured
  const kind = agentKind({
    ...loop,
    log,
    modelOf: () => model,
    media: agents.media,
    settingFor: settingForTool,
    toolsOf: async (run) => {
      const { owner, partition } = run
      const sandbox = await sandboxFor(run)
      return agents.tools({ owner, partition, directory: await run.directory(), ...(sandbox && { sandbox }) })
    },
    ownToolsOf: async (run) => {
      const { todoTools } = await import('@agentm/agent-loop/tools')
      return todoTools(stepTodo(run))
    },
    ...(onText && { onText }),
  })
  return {
    ...kind,
    async run(run) {
      const elsewhere = await waitsForItsFolder(run, agents, log)
      if (elsewhere !== undefined) return elsewhere
      await tellProblems(run, agents)
      return kind.run(run)
    },
  }
}

const lookAgainMs = 600_000

/** The reason to wait, if the agent lacks tools here that it would have on a worker in the step's project. */
async function waitsForItsFolder(
  run: StepRun,
  agents: ConfiguredAgents,
  log: NodeLog,
): Promise<StepOutcome | undefined> {
  const { owner, partition, step } = run
  const names = async (of?: { readonly owner: string; readonly partition: string }) =>
    (await agents.tools(of)).map(({ name }) => name)
  const here = new Set(await names({ owner, partition }))
  const wanted = (await assignmentOf(log, { owner, step }))?.tools
  const missing = (await names()).filter((name) => !here.has(name) && (wanted?.includes(name) ?? true))
  if (missing.length === 0) return undefined
  const content = `waits for a worker in a folder of ${partition} that serves ${owner}: ${missing.join(', ')} are not for it here`
  await run.observe({ kind: 'note', content, data: { missing, partition } })
  return { end: 'waits', waitsFor: { for: 'time', until: run.now() + lookAgainMs } }
}

/** Records in the trace which tools the agent should have but does not get. */
async function tellProblems(run: StepRun, agents: ConfiguredAgents): Promise<void> {
  for (const { server, why } of await agents.problems())
    await run.observe({
      kind: 'note',
      content: `the tools of the MCP server ${server} are not to be had: ${why}`,
      data: { server, why },
    })
}
