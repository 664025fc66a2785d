/** The errors of the lock and the writer. Compare `code`: a process may contain two copies of this package, and so two sets of classes. */
export class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError'
  readonly code = 'INVALID_PATH'
  readonly text: string
  constructor(text: string, why: string) {
    super(`${JSON.stringify(text)} is not a file path: ${why}.`)
    this.text = text
  }
}

/** Another process held the lock for longer than this call waits. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError'
  readonly code = 'LOCK_TIMEOUT'
  readonly lockDirectory: string
  readonly timeoutMs: number
  /** Time since the holder's last heartbeat; absent if this process is the holder. */
  readonly ageMs: number | undefined
  constructor(lockDirectory: string, timeoutMs: number, staleMs: number, ageMs?: number) {
    super(
      `${lockDirectory} was not free within ${timeoutMs} ms (${holder(staleMs, ageMs)}). ` +
        'Try again, or wait longer with timeoutMs.',
    )
    this.lockDirectory = lockDirectory
    this.timeoutMs = timeoutMs
    this.ageMs = ageMs
  }
}

/** The lock was lost: this process was suspended for too long, and another one took over. Nothing was written after that. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError'
  readonly code = 'LOCK_LOST'
  readonly lockDirectory: string
  /** True if the lock is still held, but all writers now share another one. A caller that starts over takes that one too. */
  readonly isMoved: boolean
  /** True if it is unknown whether the change was made. */
  readonly isInDoubt: boolean
  constructor(
    lockDirectory: string,
    why = 'another process took it over while this one stood still',
    { isMoved = false, isInDoubt = false }: { readonly isMoved?: boolean; readonly isInDoubt?: boolean } = {},
  ) {
    super(`the lock ${lockDirectory} was lost: ${why}. Nothing more was written. Read again and start over.`)
    this.lockDirectory = lockDirectory
    this.isMoved = isMoved
    this.isInDoubt = isInDoubt
  }
}

/** The lock cannot be created, or something else is in its place. Waiting would not help. */
export class LockBlockedError extends Error {
  override readonly name = 'LockBlockedError'
  readonly code = 'LOCK_BLOCKED'
  readonly lockDirectory: string
  constructor(lockDirectory: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.lockDirectory = lockDirectory
  }
}

/** The record in a directory about the lock of its writers. */
export interface RecordedLock {
  readonly root: string
  /** The path of the shared lock, as recorded by its first writer. */
  readonly recorded: string
  /** Who recorded it, in words for people. */
  readonly by: string
  /** Why this process cannot take it. */
  readonly why: string
  readonly unusedMs: number
  readonly leaseMs: number
  /** The file of the record. */
  readonly file: string
}

/** Other writers on this machine use a lock that this process cannot take. */
export class LockElsewhereError extends Error {
  override readonly name = 'LockElsewhereError'
  readonly code = 'LOCK_ELSEWHERE'
  /** The lock of this process. */
  readonly lockDirectory: string
  readonly recorded: string
  constructor(lockDirectory: string, { root, recorded, by, why, unusedMs, leaseMs, file }: RecordedLock) {
    const lease = leaseMs / 1000
    const used = `last used ${Math.round(unusedMs / 1000)} s ago`
    super(
      recorded === ''
        ? `${file} should say where the writers of ${root} lock it, but ${why} (${used}). Nothing was written. ` +
            `Try again when it is older than ${lease} s; the next writer then replaces it.`
        : `other writers of ${root} on this machine lock it at ${recorded} (${by}, ${used}, says ${file}), and this process ` +
            `cannot take that lock: ${why}. Nothing was written, because one writer would overwrite the other. ` +
            `Let this process reach that place: mount ${placeOf(recorded)} at the same path in a container, or let this user ` +
            `write there. Or try again when no other writer has been active for ${lease} s.`,
    )
    this.lockDirectory = lockDirectory
    this.recorded = recorded
  }
}

/** The target of a write is not a plain file. */
export class NotReplaceableError extends Error {
  override readonly name = 'NotReplaceableError'
  readonly code = 'NOT_REPLACEABLE'
  readonly target: string
  readonly what: 'a symbolic link' | 'a directory' | 'not a regular file'
  constructor(target: string, what: NotReplaceableError['what']) {
    super(
      `${target} is ${what} and was not changed. ${
        what === 'a symbolic link'
          ? 'Write to the file it points to, or remove the link.'
          : 'Write to another name, or move it away.'
      }`,
    )
    this.target = target
    this.what = what
  }
}

function placeOf(lockDirectory: string): string {
  return lockDirectory.replace(/[\\/]lock$/, '')
}

function holder(staleMs: number, ageMs: number | undefined): string {
  if (ageMs === undefined) return 'this process holds it; inside the work that holds it, pass its hold as `within`'
  const seconds = (Math.abs(ageMs) / 1000).toFixed(2)
  if (ageMs < 0) return `its holder's last heartbeat lies ${seconds} s in the future; the clock was set back`
  return `its holder's last heartbeat was ${seconds} s ago, dead after ${staleMs / 1000} s`
}
