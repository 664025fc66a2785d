import { type BackendPlugin, seamMajor } from '@agentm/storage-seam'
import { CarefulMapBackend } from './careful-map-backend.ts'

export { CarefulMapBackend } from './careful-map-backend.ts'
export { MapBackend } from './map-backend.ts'

export const plugin: BackendPlugin = {
  protocol: 'map',
  seam: seamMajor,
  settingsKey: 'plugins.map',
  open: async () => new CarefulMapBackend(),
}
