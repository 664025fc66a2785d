import { describeBackend } from '@agentm/conformance/vitest'
import { CarefulMapBackend, MapBackend } from '../src/index.ts'

describeBackend('map', async () => new MapBackend())
describeBackend('careful map', async () => new CarefulMapBackend())
