import fc from 'fast-check'
import { expect, it } from 'vitest'
import { commands, graphs, PlanModel } from './plan-model.ts'

it('lets through what the model says, and nothing else, whatever comes in which order', async () => {
  const checked = fc.assert(
    fc.asyncProperty(graphs, fc.array(commands, { minLength: 10, maxLength: 60 }), async (graph, script) => {
      const model = await PlanModel.create(graph)
      for (const command of script) await model.perform(command)
      await model.finish()
    }),
    { numRuns: 300 },
  )
  await expect(checked).resolves.toBeUndefined()
})
