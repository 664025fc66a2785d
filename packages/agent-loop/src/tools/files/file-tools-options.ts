import type { StoreRuntime } from '@agentm/nodes'
import type { MediaPolicy } from '../../media/media-part.ts'
import { z } from 'zod'

/** Options of `fileTools`. */
export interface FileToolsOptions {
  /** The working folder. */
  readonly root: string
  /** Largest file that is read or written (default: 1 MiB). */
  readonly maxBytes?: number
  /** How long a regular expression of one search may take (default: 10 s). */
  readonly matchingMs?: number
  readonly needsApproval?: boolean
  /** Which pictures and documents the model can be shown, and where they are kept (default: none). */
  readonly media?: MediaPolicy
  readonly runtime: Pick<StoreRuntime, 'newId'>
}

export const defaultMaxBytes = 1_048_576

/** Other programs execute files in these directories: a git hook could run a program that the policy forbids. */
export const closedToWriters: readonly string[] = ['.git', '.hg', '.svn']

export const place = z.string().min(1).describe('Below the working folder, with /.')
