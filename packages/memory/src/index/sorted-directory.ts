/** What is in one directory, for walks of one scope. */
import type { Locator } from '@agentm/storage-seam'

export interface SortedDirectory {
  readonly key: string
  /** Of the listing it was made of. */
  readonly revision: string | undefined
  /** What the walk was asked for, as far as it decides what of a directory is wanted. */
  readonly scope: string
  /** The directory, where it lies in a home of projects and is none of ours. */
  readonly foreign: string | undefined
  readonly notes: (readonly [key: string, revision: string | undefined])[]
  readonly below: Locator[]
  readonly conflictCopies: string[]
  readonly tooLarge: string[]
}
