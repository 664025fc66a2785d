/** Stores plain files under one root on this device. Every write takes the lock, because several sessions of one person share the files. */
import { Capabilities } from '@agentm/storage-seam'
import { DirectoryBackend } from '@agentm/vault-lock'

/**
 * Plain files below one root on this device. Several agent sessions of one person may write at once: every write takes
 * the lock.
 *
 * @example
 * ```ts
 * import { DeviceLocalBackend } from '@agentm/backend-device-local'
 * import { mkdtemp } from 'node:fs/promises'
 * import { tmpdir } from 'node:os'
 * import path from 'node:path'
 *
 * const backend = new DeviceLocalBackend(await mkdtemp(path.join(tmpdir(), 'notes-')))
 * const note = await backend.write(backend.resolve('monday.md'), 'Lock, then write.')
 * console.log(await backend.read(note)) // Lock, then write.
 * ```
 */
export class DeviceLocalBackend extends DirectoryBackend {
  override readonly capabilities = new Capabilities({ concurrentWriters: true, conditionalWrite: true, removal: true })
}
