export { contentHash } from '@agentm/storage-seam'
export { atomicWrite, type AtomicWriteOptions } from './atomic-write.ts'
export { DirectoryBackend, type DirectoryOptions } from './directory-backend.ts'
export {
  InvalidPathError,
  LockBlockedError,
  LockElsewhereError,
  LockLostError,
  LockTimeoutError,
  NotReplaceableError,
} from './errors.ts'
export { filePath, type FilePath, givenPath } from './file-path.ts'
export { type FileSystem, nodeFileSystem, type OpenFile } from './file-system.ts'
export { lockDirectory } from './lock-directory.ts'
export { lockStanding, type LockStanding } from './lock-standing.ts'
export type { Skipped, StandIns } from './list-names.ts'
export type { Hold } from './lock-queue.ts'
export { lockedUpdate, type LockedUpdateOptions } from './locked-update.ts'
export { isTemporaryName } from './pure/temporary-name.ts'
export { realPath } from './real-path.ts'
export { nodeRuntime, type Runtime } from './runtime.ts'
export { sweepRemnants } from './sweep-remnants.ts'
export { type MutexOptions, vaultMutex } from './vault-mutex.ts'
export { unusableNames, type UnusableNamesOptions } from './unusable-names.ts'
