/**
 * The record that the first writer of a directory puts into it: which lock all writers on this machine take there. The file is named after
 * the directory's inode number, because that number is the same by every path and in every container. A sync program may copy the file to
 * another machine; there its name matches no directory, so it has no effect.
 */
export interface PlaceRecord {
  /** The path of the lock directory, as the writer of this record sees it. */
  readonly lock: string
  /**
   * Name of the file `place-<token>` beside the lock. It proves that the path leads to the same lock, because in another container the same
   * path may lead elsewhere or nowhere.
   */
  readonly token: string
  /** A hash of everything that decides where a path leads. Two processes with the same value find the same file at the same path. */
  readonly view: string
  /** Who wrote this record, in words for people. */
  readonly by: string
}

/**
 * Name of the directory that holds the records, inside the directory that is locked. It starts with a dot, so listings and note programs
 * ignore it.
 */
export const placesName = '.agentm-locks'

/** After this long without use, the next writer may replace the recorded lock by one that it can reach. */
export const placeLeaseMs = 60_000

/** A process that uses a recorded lock renews the record's time at this interval. */
export const placeRefreshMs = 15_000

/** A process that replaces the record waits this long before it writes to the directory, because others may still act on the old record. */
export const placeSettleMs = 1_000

export function placeRecordName({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev.toString(36)}-${ino.toString(36)}.json`
}

export function tokenName(token: string): string {
  return `place-${token}`
}

/** The token in the name of a file beside a lock; `undefined` for any other name. */
export function tokenIn(name: string): string | undefined {
  const match = /^place-([0-9A-Za-z-]{1,64})$/.exec(name)
  return match?.[1]
}

export function formatPlaceRecord(record: PlaceRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`
}

/** `undefined` unless this package wrote the record, so that no path other than a lock is ever touched. */
export function parsePlaceRecord(text: string): PlaceRecord | undefined {
  const { lock, token, view, by } = fieldsOf(text)
  if (typeof lock !== 'string' || typeof token !== 'string' || typeof view !== 'string' || typeof by !== 'string')
    return undefined
  const isLock = /^(\/|[A-Za-z]:[\\/]|\\\\).*[\\/][0-9a-f]{64}[\\/]lock$/s.test(lock) && !lock.includes('\0')
  return isLock && tokenIn(tokenName(token)) !== undefined ? { lock, token, view, by } : undefined
}

function fieldsOf(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
