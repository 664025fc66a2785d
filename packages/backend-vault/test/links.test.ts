import { fuzzLinks, pluginSubject } from '@agentm/conformance'
import { plugin } from '@agentm/backend-vault'
import { expect, it } from 'vitest'

const { make } = pluginSubject(plugin, { module: '@agentm/backend-vault' })
const filesIn = (directory: string) => directory

it('reaches nothing outside its root, whatever links lie in it', { timeout: 60_000 }, async () => {
  const report = await fuzzLinks({ make, filesIn, layouts: 40, seed: 1 })
  expect(report.links).toBeGreaterThan(100)
  expect(report.refused['OUTSIDE_STORE']).toBeGreaterThan(40)
})
