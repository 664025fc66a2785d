import type { Locator } from './locator.ts'

export interface Info {
  readonly locator: Locator
  readonly isDir: boolean
  /** Bytes; 0 for a directory. */
  readonly size: number
  /** Epoch seconds. Only a hint where the tree is replicated: a download rewrites it. */
  readonly mtime: number
  /** Opaque; another value whenever the content may have changed. Absent where the backend cannot tell. */
  readonly revision?: string
}
