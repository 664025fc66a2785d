import { createInMemoryStore } from '@agentm/conformance/logs'
import { expect, it } from 'vitest'
import { systemRuntime } from '@agentm/agent-loop'
import { harnessConcepts } from '../src/index.ts'
import { holdToModel } from './plan-model.ts'

it('lets through what the model says, and nothing else, whatever comes in which order', async () => {
  const checked = holdToModel(
    async (now) => createInMemoryStore({ concepts: harnessConcepts, runtime: { ...systemRuntime, now } }),
    { runs: 300 },
  )
  await expect(checked).resolves.toBeUndefined()
})
