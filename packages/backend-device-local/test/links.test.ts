import { fuzzLinks, type MakeBackend, pluginSubject } from '@agentm/conformance'
import { DeviceLocalBackend, plugin } from '@agentm/backend-device-local'
import { filePath } from '@agentm/vault-lock'
import { expect, it } from 'vitest'
import { byPathFileSystem } from './by-path-file-system.ts'

const { make } = pluginSubject(plugin, { module: '@agentm/backend-device-local' })
const filesIn = (directory: string) => directory

const byPath: MakeBackend = async (directory) => new DeviceLocalBackend(filePath(directory), { fs: byPathFileSystem })

it.each([
  ['', make],
  [', also where paths are all there is', byPath],
])('reaches nothing outside its root, whatever links lie in it%s', { timeout: 60_000 }, async (_, opened) => {
  const report = await fuzzLinks({ make: opened, filesIn, layouts: 40, seed: 1 })
  expect(report.links).toBeGreaterThan(100)
  expect(report.refused['OUTSIDE_STORE']).toBeGreaterThan(40)
})
