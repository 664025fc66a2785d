import { pluginSubject } from '@agentm/conformance'
import { describeBackend } from '@agentm/conformance/vitest'
import { plugin } from '@agentm/backend-device-local'

const { make, options } = pluginSubject(plugin, { module: new URL('../dist/index.js', import.meta.url).href })
describeBackend('device-local', make, options)
