export { DeviceLocalBackend } from './device-local-backend.ts'
export { plugin } from './plugin.ts'
