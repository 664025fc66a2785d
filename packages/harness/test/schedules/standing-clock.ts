/** A harness whose clock stands still until a test sets it, and what a worker does about schedules at that time. */
import { systemRuntime } from '@agentm/agent-loop'
import { createInMemoryStore } from '@agentm/conformance/logs'
import type { NodeStore } from '@agentm/nodes'
import { harnessConcepts, openHarness } from '../../src/index.ts'
import { PlanKeeper } from '../../src/plan-keeper.ts'

export type OpenAtTime = (runtime: { readonly now: () => number }) => Promise<NodeStore> | NodeStore

const inMemory: OpenAtTime = (runtime) =>
  createInMemoryStore({ concepts: harnessConcepts, runtime: { ...systemRuntime, ...runtime } })

export async function standingClock(start: string, open: OpenAtTime = inMemory) {
  let now = Date.parse(start)
  const store = await open({ now: () => now })
  const harness = openHarness({ store, owner: 'ada', actor: 'test' })
  const keeper = (actor: string) => new PlanKeeper({ store, owners: ['ada'], actor, now: () => now })
  const history = (name: string) => harness.scheduleHistory(name, { events: 1000 })
  return {
    store,
    harness,
    /** Moves the clock by milliseconds, or to a time. */
    go: (to: string | number): void => {
      now = typeof to === 'number' ? now + to : Date.parse(to)
    },
    attend: async (actor = 'worker') => keeper(actor).attendSchedules(),
    /** The starts, oldest first: the time they are for, and how they came about. */
    starts: async (name: string): Promise<readonly string[]> => {
      const { events } = await history(name)
      const lines = events.flatMap((each) => (each.what === 'started' ? [`${each.slot.slice(0, 16)} ${each.as}`] : []))
      return lines.toReversed()
    },
    /** What was left out, oldest first. */
    skips: async (name: string): Promise<readonly string[]> => {
      const { events } = await history(name)
      const lines = events.flatMap((each) =>
        each.what === 'skipped' ? [`${each.from.slice(0, 16)} ${each.count} ${each.why}`] : [],
      )
      return lines.toReversed()
    },
    /** Ends what runs. */
    end: async (name: string): Promise<void> => {
      for (const id of (await harness.scheduleHistory(name)).running) await harness.cancelPlan(id)
    },
  }
}
