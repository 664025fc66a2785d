import { pluginSubject } from '@agentm/conformance'
import { describeBackend } from '@agentm/conformance/vitest'
import { DeviceLocalBackend, plugin } from '@agentm/backend-device-local'
import { filePath } from '@agentm/vault-lock'
import { describe } from 'vitest'
import { byPathFileSystem } from './by-path-file-system.ts'
import { foldingFileSystem } from './folding-file-system.ts'

const { make, options } = pluginSubject(plugin, { module: new URL('../dist/index.js', import.meta.url).href })
describeBackend('device-local', make, options)

describeBackend(
  'device-local, where paths are all there is',
  async (directory) => new DeviceLocalBackend(filePath(directory), { fs: byPathFileSystem }),
  { filesIn: (directory) => directory },
)

describe.each(['linux', 'darwin'] as const)('on a disk that takes case and accents for one, on %s', (platform) => {
  describeBackend(
    'device-local',
    async (directory) => new DeviceLocalBackend(filePath(directory), { fs: foldingFileSystem(directory, platform) }),
    { filesIn: (directory) => directory },
  )
})
