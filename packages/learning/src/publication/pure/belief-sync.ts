/** Decides what happened to a published file, from what this device wrote there and what is there now. It changes nothing. */

/** What this device knows about a file that it published. It is stored on this device only. */
export interface LeftBehind {
  readonly key: string
  /** The hash of the text that was last seen. */
  readonly hash: string
  /** When the file was first found absent, in epoch milliseconds. */
  readonly absentSince?: number
}

export interface FoundFile {
  readonly key: string
  readonly hash: string
  /** The text above the line. */
  readonly statement: string
  readonly status: string
}

export type Verdict =
  | { readonly is: 'ours' }
  | { readonly is: 'edited'; readonly statement: string }
  | { readonly is: 'deleted' }
  | { readonly is: 'gone-just-now' }
  | { readonly is: 'never-there' }

export interface Judged {
  readonly left: LeftBehind | undefined
  readonly found: FoundFile | undefined
  /** All earlier texts of the belief, from the log. */
  readonly said: readonly string[]
  readonly now: number
  /** How long a file must be absent since it was first found absent (default: one hour). */
  readonly waitMs?: number
}

/** Two syncs this far apart must find a file absent before it counts as deleted by a person, unless a person asks for it. */
export const absenceMs = 3_600_000

export function verdictOn({ left, found, said, now, waitMs = absenceMs }: Judged): Verdict {
  if (found === undefined) {
    if (left === undefined) return { is: 'never-there' }
    const isLongGone = left.absentSince !== undefined && now - left.absentSince >= waitMs
    return isLongGone ? { is: 'deleted' } : { is: 'gone-just-now' }
  }
  if (found.hash === left?.hash) return { is: 'ours' }
  if (!said.includes(found.statement)) return { is: 'edited', statement: found.statement }
  return removedStatuses.has(found.status) ? { is: 'deleted' } : { is: 'ours' }
}

const removedStatuses = new Set(['deleted', 'pruned', 'superseded', 'archived', 'expired'])

/** A whole directory that vanished at once was cleared to be rebuilt, and no single belief in it counts as deleted. */
export function isTierDropped(left: number, gone: number): boolean {
  return gone >= 3 && gone === left
}
