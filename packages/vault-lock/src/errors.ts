/**
 * What the lock and the writer can refuse. Compare `code`: a process may hold two copies of this package, and so two
 * sets of classes.
 */
export class InvalidPathError extends Error {
  override readonly name = 'InvalidPathError'
  readonly code = 'INVALID_PATH'
  readonly text: string
  constructor(text: string, why: string) {
    super(`${JSON.stringify(text)} is not a file path: ${why}.`)
    this.text = text
  }
}

/** Somebody else held the lock for as long as this caller was willing to wait. */
export class LockTimeoutError extends Error {
  override readonly name = 'LockTimeoutError'
  readonly code = 'LOCK_TIMEOUT'
  readonly lockDirectory: string
  readonly timeoutMs: number
  /** Time since the holder's last sign of life; absent where the holder is this very process. */
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

/** The lock is no longer ours: this process stood still for too long and another took over. What was fenced is not written. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError'
  readonly code = 'LOCK_LOST'
  readonly lockDirectory: string
  constructor(lockDirectory: string, why = 'another process took it over while this one stood still') {
    super(`the lock ${lockDirectory} is lost: ${why}. Nothing more was written; read again and start over.`)
    this.lockDirectory = lockDirectory
  }
}

/** Waiting would not help: the lock cannot be made, or what stands in its place is no lock. */
export class LockBlockedError extends Error {
  override readonly name = 'LockBlockedError'
  readonly code = 'LOCK_BLOCKED'
  readonly lockDirectory: string
  constructor(lockDirectory: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.lockDirectory = lockDirectory
  }
}

/** The target of a write is something other than a plain file. */
export class NotReplaceableError extends Error {
  override readonly name = 'NotReplaceableError'
  readonly code = 'NOT_REPLACEABLE'
  readonly target: string
  readonly what: 'a symbolic link' | 'a directory' | 'not a regular file'
  constructor(target: string, what: NotReplaceableError['what']) {
    super(
      `${target} is ${what} and was left as it is. ${
        what === 'a symbolic link'
          ? 'Resolve it and write to the file it points at, or remove the link.'
          : 'Write to another name, or move it away.'
      }`,
    )
    this.target = target
    this.what = what
  }
}

function holder(staleMs: number, ageMs: number | undefined): string {
  if (ageMs === undefined) return 'this process holds it; inside the work that holds it, pass its hold as `within`'
  const seconds = (Math.abs(ageMs) / 1000).toFixed(2)
  if (ageMs < 0) return `its holder's last heartbeat lies ${seconds} s in the future; the clock was set back`
  return `its holder's last heartbeat was ${seconds} s ago, dead after ${staleMs / 1000} s`
}
