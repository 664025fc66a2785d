import type { SeamError } from './errors.ts'
import type { Locator } from './locator.ts'

/** What a backend knows about one place: its kind, size and time. */
export interface Info {
  readonly locator: Locator
  readonly isDir: boolean
  /** Size in bytes; 0 for a directory. */
  readonly size: number
  /** Time of the last change, in epoch seconds. Under a sync program it is only a hint, because a download sets it. */
  readonly mtime: number
  /** An opaque value that changes whenever the content may have changed. Absent if the backend cannot tell. */
  readonly revision?: string
}

/** One child in a listing: its info, or why the info is not available now. */
export type ListedInfo = Info | UnknownInfo

export interface UnknownInfo {
  readonly locator: Locator
  /** The error that `info` throws for this child, such as `ONLINE_ONLY` or `OUTSIDE_STORE`. */
  readonly refusal: SeamError
}

/** All children of a directory, read together. */
export interface Listing {
  readonly children: readonly ListedInfo[]
  /**
   * An opaque value. If one backend object returns two listings of one place with equal revisions, every child is the same in both. A
   * caller may therefore cache what it computed from a listing. Absent if the backend cannot tell, or if the listing stopped early.
   */
  readonly revision?: string
}
