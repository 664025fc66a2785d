/** Forks of plans on this machine: with the inputs that steps of coding agents take, and with the trees of this machine. */
import { type Harness, stepInputs } from '@agentm/harness'
import type { Trees } from '@agentm/harness/trees'

export function forkingHere(harness: Harness, trees: () => Promise<Trees>): Harness {
  return {
    ...harness,
    async forkPlan(planId, fork = {}) {
      const { codingAgentInput, codingAgentNames } = await import('@agentm/coding-agents')
      const ofAgents = Object.fromEntries(codingAgentNames.map((name) => [name, codingAgentInput.strict()]))
      return harness.forkPlan(planId, {
        inputSchemas: { ...stepInputs, ...ofAgents },
        carryTrees: async (carried) => (await import('@agentm/harness/trees')).carryTrees(await trees(), carried),
        ...fork,
      })
    },
  }
}
