import { fuzzLinks, pluginSubject } from '@agentm/conformance'
import { plugin } from '@agentm/backend-vault'
import { expect, it } from 'vitest'

const { make } = pluginSubject(plugin, { module: '@agentm/backend-vault' })
const filesIn = (directory: string) => directory

it('reaches nothing outside its root through any of 5,000 layouts of links', { timeout: 1_200_000 }, async () => {
  const report = await fuzzLinks({ make, filesIn, layouts: 5_000, seed: 2_000 })
  expect(report.links).toBeGreaterThan(15_000)
  expect(report.refused['OUTSIDE_STORE']).toBeGreaterThan(5_000)
})
