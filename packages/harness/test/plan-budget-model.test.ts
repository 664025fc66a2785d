/** Agents that spend at the same time, some of which are killed: nobody may spend what another has set aside. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { live, worlds } from './budget-world.ts'

it('the sum of what is used never exceeds the budget, and everybody ends, whoever dies or breaks off', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { ended, plan, child, chargedMicros } = await live(world)
      expect(ended).toBe(true)
      expect(plan.tokens).toBeLessThanOrEqual(world.budget.maxTokens)
      expect(plan.toolCalls).toBeLessThanOrEqual(world.budget.maxToolCalls)
      expect(plan.costMicros).toBeLessThanOrEqual(world.budget.maxCostMicros ?? Infinity)
      expect(chargedMicros).toBeLessThanOrEqual(world.budget.maxCostMicros ?? Infinity)
      expect(child.costMicros).toBeLessThanOrEqual(world.childBudget?.maxCostMicros ?? Infinity)
      expect(child.toolCalls).toBeLessThanOrEqual(world.childBudget?.maxToolCalls ?? Infinity)
    }),
    { numRuns: 150 },
  )
}, 60_000)

it('nobody is refused while what is really used leaves room', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async ({ agents }) => {
      const unbroken = agents.map((agent) => ({
        ...agent,
        waves: agent.waves.map((wave) => ({ ...wave, broken: [] })),
      }))
      const waves = unbroken.flatMap((agent) => agent.waves)
      const took = waves.reduce((sum, each) => sum + each.took, 0)
      const budget = {
        // Whoever comes last finds everything else used, and room for the most its reply may take.
        maxTokens: took + Math.max(...waves.map(({ most }) => most)),
        maxToolCalls: waves.reduce((sum, each) => sum + each.calls.length, 1),
      }
      const living = unbroken.map((agent) => ({ ...agent, deaths: [] }))
      const { ended, refusals, plan } = await live({ budget, childBudget: undefined, agents: living })
      expect({ ended, refusals, tokens: plan.tokens }).toEqual({ ended: true, refusals: 0, tokens: took })
    }),
    { numRuns: 100 },
  )
}, 60_000)
