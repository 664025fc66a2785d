/** Plain files under one root on this device. Several sessions of one person share it, so every write takes the lock. */
import { Capabilities } from '@agentm/storage-seam'
import { DirectoryBackend } from '@agentm/vault-lock'

export class DeviceLocalBackend extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ concurrentWriters: true, conditionalWrite: true, removal: true })
}
