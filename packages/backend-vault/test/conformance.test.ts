import { backendContracts, pluginSubject } from '@agentm/conformance'
import { describeBackend } from '@agentm/conformance/vitest'
import { plugin } from '@agentm/backend-vault'
import { grantPersonalWrite } from '@agentm/backend-vault/personal'

const { make, options } = pluginSubject(plugin, { module: new URL('../dist/index.js', import.meta.url).href })
describeBackend('vault', make, options)

const withPersonal = pluginSubject(plugin, {
  module: new URL('../dist/index.js', import.meta.url).href,
  settings: { memory_root: 'Agent', personal_root: '{directory}' },
})
describeBackend('vault, with a personal space around it', withPersonal.make, {
  ...withPersonal.options,
  grant: grantPersonalWrite,
  only: backendContracts.filter(({ needs = [] }) => needs.includes('personalWrite')).map(({ id }) => id),
})
