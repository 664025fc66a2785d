/** Refusals of the trees that steps work in. */
import { HarnessError } from '../harness-errors.ts'

/** A tree cannot be made, merged or applied. The message names the place and what to do. */
export class TreesError extends HarnessError {
  override readonly name = 'TreesError'
  readonly code = 'TREES_REFUSED'
  /** Another run would be refused, too. */
  readonly retryable = false
}

/** What two steps changed does not fit together. A person decides, with `agentm approve`. */
export class TreeConflictError extends HarnessError {
  override readonly name = 'TreeConflictError'
  readonly code = 'TREES_CONFLICT'
  readonly retryable = false
  readonly conflict: TreeConflict
  constructor(conflict: TreeConflict) {
    super(`${list(conflict.files)}: what "${conflict.title}" changed does not fit what the steps before it changed`)
    this.conflict = conflict
  }
}

export interface TreeConflict {
  /** The commit that the change is brought into, and the commit with the change. */
  readonly onto: string
  readonly head: string
  /** The title of the step that made the change. */
  readonly title: string
  readonly files: readonly string[]
  /** The merged tree, in which the files have both versions between conflict marks. */
  readonly tree: string
}

const mostNamed = 10

/** The first names of a list, for a message. */
export function list(files: readonly string[]): string {
  const more = files.length - mostNamed
  return more <= 0 ? files.join(', ') : `${files.slice(0, mostNamed).join(', ')} and ${more} more`
}
