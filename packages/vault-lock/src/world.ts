/** What locking and writing need from outside. */
import type { FileSystem } from './file-system.ts'
import type { LockRuntime } from './runtime.ts'

export interface World {
  readonly fs: FileSystem
  readonly runtime: LockRuntime
}
