export { plugin } from './plugin.ts'
export { type ConflictCopy, conflictCopy } from './pure/conflict-copy.ts'
export { type ConflictPair, VaultBackend } from './vault-backend.ts'
