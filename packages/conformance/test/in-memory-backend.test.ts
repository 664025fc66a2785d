import { InMemoryBackend, InMemoryDerivedBackend } from '@agentm/conformance'
import { describeBackend } from '@agentm/conformance/vitest'

describeBackend('in memory', async () => new InMemoryBackend())
describeBackend('in memory, with a derived layer', async () => new InMemoryDerivedBackend())
