import { pluginSubject, raceLinks } from '@agentm/conformance'
import { plugin } from '@agentm/backend-device-local'
import { expect, it } from 'vitest'

const { make } = pluginSubject(plugin, { module: '@agentm/backend-device-local' })
const filesIn = (directory: string) => directory

it.runIf(process.platform === 'linux')(
  'reaches nothing outside its root while another process swaps what is in it for links',
  { timeout: 60_000 },
  async () => {
    const report = await raceLinks({ make, filesIn, ms: 200 })
    expect(report).toMatchObject({ shownFromOutside: 0, changedOutside: 0 })
    expect(report.looks).toBeGreaterThan(50)
    expect(report.changes).toBeGreaterThan(10)
    expect(report.refused['OUTSIDE_STORE']).toBeGreaterThan(5)
  },
)
