import { createInMemoryStore } from '@agentm/conformance/logs'
import { describeLog } from '@agentm/conformance/logs/vitest'

describeLog('in memory', async ({ concepts, runtime }) => createInMemoryStore({ concepts, runtime }), {
  offers: ['clock'],
})
