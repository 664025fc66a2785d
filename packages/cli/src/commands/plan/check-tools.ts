/** Names the tools that the agents of a plan do without here, each with the setting that allows it. */
import { assignmentOf } from '@agentm/harness'
import { type GoalRequest, lackingTools } from '@agentm/planner'
import type { Plans } from '@agentm/workspace'
import { settingForTool } from '@agentm/workspace/reader'

type AssignedStep = Parameters<NonNullable<GoalRequest['review']>>[0][number]

/** Agents whose work is to change something have no tool that can. */
export class ToolsLackingError extends Error {
  override readonly name = 'ToolsLackingError'
  readonly code = 'TOOLS_LACKING'
  readonly tools: readonly string[]
  constructor(steps: readonly AssignedStep[]) {
    const tools = [...new Set(steps.flatMap(({ lacking }) => lacking.tools))]
    const who = steps.map(({ role, title }) => `the ${role} of "${title}"`).join(', ')
    super(
      `nothing was started, because ${who} would have no tool that changes anything. Lacking: ${tools.join(', ')}. ${cureFor(tools)} To start all the same: agentm do --anyway …`,
    )
    this.tools = tools
  }
}

/** Throws if an agent cannot do its work at all. */
export function checkTools(steps: readonly AssignedStep[]): void {
  const idle = steps.filter(({ lacking }) => !lacking.canWork)
  if (idle.length > 0) throw new ToolsLackingError(idle)
}

/** One line for each step whose agent does without tools of its role. */
export function lackingNotes(steps: readonly AssignedStep[]): readonly string[] {
  return steps
    .filter(({ lacking }) => !lacking.canWork)
    .map(
      ({ title, role, lacking: { tools } }) =>
        `"${title}": the ${role} does without ${tools.join(', ')}. ${cureFor(tools)}`,
    )
}

/** The steps of a plan that are for agents and may still run. */
export async function agentSteps(
  { harness, store, owner, agents }: Plans,
  planId: string,
): Promise<readonly AssignedStep[]> {
  const steps = (await harness.steps(planId)).filter(
    ({ payload: { status, assignedAgent } }) => status !== 'done' && assignedAgent !== undefined,
  )
  if (steps.length === 0 || (await agents.model()) === undefined) return []
  const available = await agents.tools()
  const assigned = await Promise.all(
    steps.map(async ({ payload }) => ({
      title: payload.title,
      agent: await assignmentOf(store.log, { owner, step: payload }),
    })),
  )
  return assigned.flatMap(({ title, agent }) =>
    agent === undefined ? [] : [{ title, role: agent.role, lacking: lackingTools(agent, available) }],
  )
}

function cureFor(tools: readonly string[]): string {
  const settings = [...new Set(tools.flatMap((tool) => settingForTool(tool) ?? []))]
  return settings.length === 0 ? '' : `To allow them: ${settings.join('; ')}.`
}
