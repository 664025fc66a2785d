/**
 * What the first writer of a directory writes down in it: which lock everybody on this machine takes there. The file is named for the
 * directory's number on this machine's disk, which is the same by every path and in every container; on another machine, where a sync
 * program takes the file, it is the name of nothing.
 */
export interface PlaceRecord {
  /** The lock directory, by the path the writer of this knows it by. */
  readonly lock: string
  /** Lies beside the lock as `place-<token>`: the path may lead elsewhere for others, or nowhere. */
  readonly token: string
  /** Stands for all that decides where a path leads: who sees the same finds the same by the same path. */
  readonly view: string
  /** For people: who wrote this. */
  readonly by: string
}

/** In the directory itself. Hidden, from people and from listings; programs for notes leave such names alone. */
export const placesName = '.agentm-locks'

/** A place that nobody has used for so long is given up for one that its next user can reach. */
export const placeLeaseMs = 60_000

/** Who uses it says so that often. */
export const placeRefreshMs = 15_000

/** Whoever writes another place down waits for so long: those who looked before have done what they looked for. */
export const placeSettleMs = 1_000

export function placeRecordName({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev.toString(36)}-${ino.toString(36)}.json`
}

export function tokenName(token: string): string {
  return `place-${token}`
}

/** The token of an entry beside a lock; `undefined` for any other entry. */
export function tokenIn(name: string): string | undefined {
  const match = /^place-([0-9A-Za-z-]{1,64})$/.exec(name)
  return match?.[1]
}

export function formatPlaceRecord(record: PlaceRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`
}

/** `undefined` for anything that was not written here: a path that is no lock is never touched. */
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
