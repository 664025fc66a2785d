export { plugin } from './plugin.ts'
export { type ConflictPair, VaultBackend, type VaultOptions } from './vault-backend.ts'
