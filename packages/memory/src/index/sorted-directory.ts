/** The content of one directory, sorted for walks of one scope. */
import type { Locator } from '@agentm/storage-seam'

export interface SortedDirectory {
  readonly key: string
  /** The revision of the listing. */
  readonly revision: string | undefined
  /** Its fingerprint; `undefined` if a change of it might not be noticed. */
  readonly print: string | undefined
  /** The part of the walk's request that decides which entries are wanted. */
  readonly scope: string
  /** The directory itself if it is among the projects but no agentm project. */
  readonly foreign: string | undefined
  readonly notes: (readonly [key: string, revision: string | undefined])[]
  /** Each with its own revision. */
  readonly below: { readonly locator: Locator; readonly revision: string | undefined }[]
  readonly conflictCopies: string[]
  readonly tooLarge: string[]
}
