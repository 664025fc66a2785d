import { pluginSubject, raceLinks } from '@agentm/conformance'
import { plugin } from '@agentm/backend-vault'
import { expect, it } from 'vitest'

const { make } = pluginSubject(plugin, { module: '@agentm/backend-vault' })
const filesIn = (directory: string) => directory

it.runIf(process.platform === 'linux')(
  'reaches nothing outside its root in a minute of another process swapping what is in it for links',
  { timeout: 300_000 },
  async () => {
    const report = await raceLinks({ make, filesIn, ms: 6_000 })
    expect(report).toMatchObject({ shownFromOutside: 0, changedOutside: 0 })
    expect(report.looks).toBeGreaterThan(2_000)
    expect(report.changes).toBeGreaterThan(200)
    expect(report.refused['OUTSIDE_STORE']).toBeGreaterThan(200)
  },
)
