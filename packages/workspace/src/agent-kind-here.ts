/**
 * Steps of kind `agent` where this worker runs. Without a model they wait for one, or for a person; nothing pretends to have
 * run. What an agent works with in a folder belongs to one project, so a step of another one waits for a worker there.
 */
import {
  agentKind,
  type AgentKindOptions,
  agentWithoutModel,
  assignmentOf,
  type StepKind,
  type StepOutcome,
  type StepRun,
} from '@agentm/harness'
import type { NodeLog } from '@agentm/nodes'
import type { ConfiguredAgents } from './configured-agents.ts'

export interface AgentKindPlace {
  readonly agents: ConfiguredAgents
  readonly log: NodeLog
  readonly onText?: AgentKindOptions['onText']
}

export async function agentKindHere({ agents, log, onText }: AgentKindPlace): Promise<StepKind> {
  const configured = await agents.model()
  if (configured === undefined) return agentWithoutModel()
  const { model, loop } = configured
  const kind = agentKind({
    ...loop,
    log,
    modelOf: () => model,
    toolsOf: async (run) => agents.tools(run),
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

/** Where the step's agent works with what is not here for it, and would be if the worker stood in the step's project. */
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

/** An agent that is without a tool it should have says so in its trace. */
async function tellProblems(run: StepRun, agents: ConfiguredAgents): Promise<void> {
  for (const { server, why } of await agents.problems())
    await run.observe({
      kind: 'note',
      content: `the tools of the MCP server ${server} are not to be had: ${why}`,
      data: { server, why },
    })
}
