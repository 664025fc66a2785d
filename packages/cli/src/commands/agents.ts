/** The roster: the agents that the steps of this owner's goals can be assigned to. */
import { type AgentHead } from '@agentm/harness'
import { openRoster, type Roster } from '@agentm/planner'
import { AbsentNodeError, parseId } from '@agentm/nodes'
import { type Answer, type Call, type Command, UsageError } from '../command.ts'
import { by, reasonOption } from './plan/control.ts'
import { shortId } from './plan/pure/short-id.ts'
import { oneLine } from './plan/pure/state-text.ts'
import { changingPlans, lookingAtPlans } from './plan/with-plans.ts'
import { typed } from '../typed.ts'

export const agents: Command = {
  summary: 'list the agents that steps can be assigned to',
  details:
    'agentm do creates agents as a goal needs them. With --all, the list includes agents that were retired or merged into another.',
  options: { all: { help: 'include retired and merged agents' } },
  run: (call) =>
    lookingAtRoster(call, async (roster) => {
      const found = await roster.list(call.has('all') ? undefined : 'active')
      const text =
        found.length === 0
          ? typed('There are no agents yet. The first goal creates one: agentm do "…"')
          : found.map(lineOf).join('\n')
      return { text, data: { agents: found.map(factsOf) } }
    }),
}

export const agentsShow: Command = {
  takes: 'AGENT',
  summary: 'show the prompt and the tools of an agent',
  details: 'AGENT is an id or the beginning of an id.',
  run: (call) =>
    lookingAtRoster(call, async (roster) => {
      const agent = findAgent(await roster.list(), call.args[0] ?? '')
      const { dropped = [], prompt, domains, mergedInto } = agent.payload
      const lines = [
        lineOf(agent),
        ...(mergedInto === undefined ? [] : [`  merged into ${shortId(mergedInto)}`]),
        `  domains: ${domains.map(oneLine).join(', ') || 'none'}`,
        ...dropped.map(({ tool, reason }) => `  tool not granted: ${oneLine(tool)}: ${oneLine(reason)}`),
        '',
        ...prompt.split('\n').map((line) => `  ${oneLine(line)}`),
      ]
      return { text: lines.join('\n'), data: factsOf(agent) }
    }),
}

export const agentsRetire: Command = {
  takes: 'AGENT',
  summary: 'stop assigning steps to an agent',
  details:
    'AGENT is an id or the beginning of an id. Steps that are already assigned to it fail when a worker starts them; assign them to ' +
    'another agent and retry them. The next goal creates a new agent if it needs one.',
  options: reasonOption,
  run: (call) =>
    withRoster(call, async (roster, owner) => {
      const agent = findAgent(await roster.list(), call.args[0] ?? '')
      const status = await roster.retire(agent.id, by(call, owner))
      const text =
        status === 'retired'
          ? `Retired ${oneLine(agent.payload.name)}.`
          : `${shortId(agent.id)} was not retired: it is already ${status}.`
      return { text, data: { agentId: agent.id, status }, exit: status === 'retired' ? 0 : 1 } satisfies Answer
    }),
}

/** Makes no log where there is none; then there are no agents. */
function lookingAtRoster(call: Call, work: (roster: Pick<Roster, 'list'>) => Promise<Answer>): Promise<Answer> {
  return lookingAtPlans(
    call,
    ({ roster }) => work(roster),
    () => work({ list: async () => [] }),
  )
}

function withRoster(call: Call, work: (roster: Roster, owner: string) => Promise<Answer>): Promise<Answer> {
  return changingPlans(call, async ({ store, owner }) => work(openRoster({ store, owner, actor: 'agentm' }), owner))
}

function findAgent(all: readonly AgentHead[], words: string): AgentHead {
  const short = words.slice(words.lastIndexOf(':') + 1)
  const found = short === '' ? [] : all.filter(({ id }) => parseId(id).short.startsWith(short))
  const [only, ...others] = found
  if (only === undefined) throw new AbsentNodeError(words)
  if (others.length > 0)
    throw new UsageError(`"${words}" may be ${found.map(({ id }) => shortId(id, 16)).join(' or ')}.`)
  return only
}

function lineOf({ id, payload: { name, status, tools } }: AgentHead): string {
  const state = status === 'active' ? '' : `  ${status}`
  return `${shortId(id)}  ${oneLine(name)}${state}  ${tools.map(oneLine).join(', ') || 'no tools'}`
}

function factsOf({ id, createdAt, payload }: AgentHead) {
  const { name, role, status, domains, tools, prompt, mergedInto, dropped } = payload
  return {
    agentId: id,
    name,
    role,
    status,
    domains,
    tools,
    prompt,
    changedAt: createdAt,
    ...(mergedInto !== undefined && { mergedInto }),
    ...(dropped !== undefined && { dropped }),
  }
}
