export { plugin } from './plugin.ts'
export { type ConflictCopy, conflictCopy } from './pure/conflict-copy.ts'
export { type ConflictPair, VaultBackend, type VaultOptions } from './vault-backend.ts'
