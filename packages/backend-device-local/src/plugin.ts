import { type BackendPlugin, seamMajor, StoreUnavailableError } from '@agentm/storage-seam'
import { filePath } from '@agentm/vault-lock'
import { DeviceLocalBackend } from './device-local-backend.ts'

/** Settings: `root`, an absolute directory; `store_id`, the id that the store there must have (optional). */
export const plugin: BackendPlugin = {
  protocol: 'device-local',
  seam: seamMajor,
  settingsKey: 'plugins.device-local',
  rootSetting: 'root',
  async open({ root, store_id: storeId }) {
    if (typeof root !== 'string' || root === '')
      throw new StoreUnavailableError(
        'the device-local backend has no directory. Set plugins.device-local.root to an absolute path.',
      )
    return new DeviceLocalBackend(filePath(root), {
      privateRoot: true,
      ...(typeof storeId === 'string' ? { storeId } : {}),
    })
  },
}
