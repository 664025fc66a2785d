/** Money, in 6,000 lives of plans: steps that spend side by side, in a plan and in one that it started, with workers killed up to three times each and replies that break off. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { live, worlds } from './budget-world.ts'

/** Where only money is limited, it is what runs out. */
const moneyWorlds = worlds.map(({ budget, childBudget, agents }) => ({
  agents,
  budget: { maxTokens: 1e6, maxToolCalls: 1e3, maxCostMicros: budget.maxCostMicros ?? 1 },
  childBudget: childBudget && { maxToolCalls: 1e3, maxCostMicros: childBudget.maxCostMicros ?? 1 },
}))

const runs = 6000

it(
  'no plan is booked or charged above its limit of money, whoever is killed or breaks off',
  { timeout: 1_800_000 },
  async () => {
    const seen = {
      runs: 0,
      steps: 0,
      kills: 0,
      refused: 0,
      broken: 0,
      overshootMicros: 0,
      chargedAbove: 0,
      unbooked: 0,
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(worlds, moneyWorlds), async (world) => {
        const { ended, plan, child, agents, kills, refusals, broken, chargedMicros } = await live(world)
        const { budget, childBudget } = world
        const [limit, childLimit] = [budget.maxCostMicros ?? Infinity, childBudget?.maxCostMicros ?? Infinity]
        seen.runs += 1
        seen.steps += agents
        seen.kills += kills
        seen.broken += broken
        seen.refused += refusals > 0 ? 1 : 0
        // A reply that breaks off, or is under way when its worker is killed, may be paid for, and nobody knows what to book.
        seen.chargedAbove += chargedMicros > limit ? 1 : 0
        seen.unbooked += chargedMicros > plan.costMicros ? 1 : 0
        const over = Math.max(0, plan.costMicros - limit, child.costMicros - childLimit)
        seen.overshootMicros = Math.max(seen.overshootMicros, over)
        // Where no worker was killed and no reply broke off, what the provider charged is what was booked.
        const unbooked = kills + broken === 0 ? chargedMicros - plan.costMicros : 0
        const chargedOver = Math.max(0, chargedMicros - limit)
        expect({ ended, over, chargedOver, unbooked }).toEqual({ ended: true, over: 0, chargedOver: 0, unbooked: 0 })
      }),
      { numRuns: runs },
    )
    console.log(
      `money: ${seen.runs} runs, ${seen.steps} steps side by side, ${seen.kills} workers killed, ${seen.broken} replies broken off, ${seen.refused} runs in which a call was refused; ` +
        `overshoot ${seen.overshootMicros} micro-dollars; ${seen.unbooked} runs with a reply that was charged and that nobody received, ${seen.chargedAbove} of them above the limit`,
    )
    // The worlds are such that limits and kills matter.
    expect([seen.runs, seen.overshootMicros, seen.chargedAbove]).toEqual([runs, 0, 0])
    expect([seen.kills > runs, seen.refused > runs / 4, seen.broken > runs / 4]).toEqual([true, true, true])
    expect(seen.unbooked).toBeGreaterThan(runs / 20)
  },
)
