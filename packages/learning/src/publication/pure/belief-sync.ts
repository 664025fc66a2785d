/** What became of a published file, judged by what this device left there and what is there now. Decides, does nothing. */

/** What this device knows of a file it published; kept on this device alone. */
export interface LeftBehind {
  readonly key: string
  /** Of the text it was seen with last. */
  readonly hash: string
  /** When it was found gone; epoch milliseconds. */
  readonly absentSince?: number
}

export interface FoundFile {
  readonly key: string
  readonly hash: string
  /** Above the line. */
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
  /** Everything the belief ever said, by the log. */
  readonly said: readonly string[]
  readonly now: number
  /** How long a file has to be gone since it was first found gone (default: an hour). */
  readonly waitMs?: number
}

/** Two looks this far apart have to agree before a file that is gone means that somebody removed it, unless a person asks. */
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

/** A whole directory that went away at once was cleared as what can be built again, and says nothing of any one belief. */
export function isTierDropped(left: number, gone: number): boolean {
  return gone >= 3 && gone === left
}
