import { pluginSubject } from '@agentm/conformance'
import { describeBackend } from '@agentm/conformance/vitest'
import { plugin } from '@agentm/backend-vault'

const { make, options } = pluginSubject(plugin, { module: new URL('../dist/index.js', import.meta.url).href })
describeBackend('vault', make, options)
