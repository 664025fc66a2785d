// @ts-check
/** The kinds of steps by which a crew does its parts: our own loop with a scripted model, or coding agents from npm. */
import { systemRuntime } from '@agentm/agent-loop'
import { fileTools } from '@agentm/agent-loop/tools'
import { codingAgentKind } from '@agentm/coding-agents'
import { agentKind } from '@agentm/harness'
import { nextPartCall, partOf } from './part.mjs'
import { meetAt } from './meeting.mjs'

/** @typedef {import('../coding/client-agent.mjs').ClientAgentName} ClientAgentName */
/** @typedef {Omit<import('@agentm/coding-agents').CodingAgentOptions, 'priceOf'> & { readonly name: ClientAgentName }} CrewClient */

/**
 * `meeting` is a directory in which all parts meet before they go on; without it, they do not wait for each other.
 * @typedef {{ readonly is: 'loop', readonly seconds: number, readonly meeting?: string } | { readonly is: 'clients', readonly clients: readonly CrewClient[] }} CrewAgents
 */

/** @param {CrewAgents} agents @param {import('@agentm/nodes').NodeStore} store @returns {readonly import('@agentm/harness').StepKind[]} */
export function crewKinds(agents, store) {
  if (agents.is === 'clients') return agents.clients.map(({ name, ...options }) => codingAgentKind(name, options))
  const model = partModel(agents)
  return [agentKind({ log: store.log, modelOf: () => model, toolsOf })]
}

/** @param {import('@agentm/harness').StepRun} run */
async function toolsOf(run) {
  return fileTools({ root: await run.directory(), runtime: systemRuntime })
}

/**
 * @param {{ readonly seconds: number, readonly meeting?: string }} how
 * @returns {import('@agentm/agent-loop').Model}
 */
function partModel({ seconds, meeting }) {
  return {
    async respond({ messages }) {
      const n = partOf(messages.map(({ text }) => text).join('\n'))
      const results = messages.flatMap(({ role, text }) => (role === 'tool' ? [text] : []))
      if (meeting !== undefined && results.length === 0) await meetAt(meeting, n)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
      const usage = { inputTokens: 100, outputTokens: 20 }
      const call = nextPartCall.loop(n, { results })
      if (call === undefined) return { text: `Part ${n} is done.`, usage }
      return { calls: [{ id: `call-${results.length}`, tool: call[0], args: JSON.stringify(call[1]) }], usage }
    },
  }
}
