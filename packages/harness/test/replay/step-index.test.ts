import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextActions } from '../../src/pure/next-actions.ts'
import { wholeView } from '../../src/pure/plan-view.ts'
import type { StepStatus } from '../../src/pure/step-transitions.ts'
import { simulatePlan } from '../../src/replay/pure/simulate-plan.ts'
import { StepIndex } from '../../src/replay/pure/step-index.ts'
import { planSchema } from '../../src/plan.ts'
import { stepSchema } from '../../src/step.ts'

const statuses: readonly StepStatus[] = ['ready', 'running', 'blocked', 'done', 'failed']
const changes = fc.array(fc.record({ nth: fc.nat(7), to: fc.constantFrom(...statuses) }), { maxLength: 30 })
const graphs = fc.array(fc.subarray([0, 1, 2, 3, 4, 5, 6, 7, 99]), { minLength: 8, maxLength: 8 })
const plan = { id: 'p', version: 1, payload: planSchema.parse({ ownerUserId: 'ada', goal: 'g', status: 'running' }) }

it('says of steps what a look at all of them says, whatever happened to them', () => {
  fc.assert(
    fc.property(graphs, changes, fc.nat(3), (graph, script, freeSlots) => {
      const steps = graph.map((targets, n) => ({
        id: `s${n}`,
        version: 1,
        payload: stepSchema.parse({
          ownerUserId: 'ada',
          planId: 'p',
          title: `s${n}`,
          idempotencyKey: `s${n}`,
          dependsOn: targets.filter((target) => target !== n).map((target) => `s${target}`),
        }),
      }))
      const index = new StepIndex(steps)
      for (const { nth, to } of script) {
        const step = steps[nth]
        // Done is done; nothing leads away from it.
        if (step === undefined || step.payload.status === 'done') continue
        step.payload = { ...step.payload, status: to }
        index.note(step)
      }
      const whole = wholeView({ now: 0, plan, steps, freeSlots })
      expect(index.counts).toEqual(whole.counts)
      const some = nextActions({
        now: 0,
        plan,
        freeSlots,
        steps: index.views(freeSlots),
        whole: false,
        counts: index.counts,
      })
      const all = nextActions(whole)
      // Where some are too few to tell, they say so.
      if (some.some((action) => action.do === 'look')) return
      expect(some).toEqual(all)
    }),
  )
})

it('lets a plan of thousands of steps happen again without looking at each of them each time', () => {
  const steps = Array.from({ length: 3000 }, (_, n) => ({
    id: `s${n}`,
    title: `s${n}`,
    dependsOn: n === 0 ? [] : [`s${n - 1}`],
  }))
  const { status, dispatches } = simulatePlan({ planId: 'p', goal: 'g', owner: 'ada', steps, outcomes: {} })
  expect(status).toBe('done')
  expect(dispatches).toEqual(steps.map(({ id }) => id))
})
