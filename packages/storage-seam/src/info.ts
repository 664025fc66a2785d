import type { SeamError } from './errors.ts'
import type { Locator } from './locator.ts'

/** What a backend knows about one place: its kind, size and time. */
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

/** What a listing says about one child: its information, or why it cannot be had now. */
export type ListedInfo = Info | UnknownInfo

export interface UnknownInfo {
  readonly locator: Locator
  /** What asking for this child alone refuses with, such as `ONLINE_ONLY` or `OUTSIDE_STORE`. */
  readonly refusal: SeamError
}

/** A directory, looked at as a whole. */
export interface Listing {
  readonly children: readonly ListedInfo[]
  /**
   * Opaque. Two listings of one place that carry equal revisions, from one backend object, say the same of every child. So a
   * caller may cache what it computed from a listing. Absent where the backend cannot tell, or stopped early.
   */
  readonly revision?: string
}
