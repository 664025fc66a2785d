/**
 * The errors of a backend. Callers compare `code`: two copies of this package in one process have two sets of classes, but only one set of
 * codes.
 */
export const seamErrorCodes = [
  'INVALID_LOCATOR',
  'PROTOCOL',
  'TIER_LAYOUT',
  'NOT_FOUND',
  'NOT_A_FILE',
  'CORRUPT_TEXT',
  'INVALID_TEXT',
  'OUTSIDE_STORE',
  'STORE_UNAVAILABLE',
  'STORE_MARKER_CORRUPT',
  'DEVICE_FAULT',
  'ONLINE_ONLY',
  'CONCURRENT_MODIFICATION',
  'UNSUPPORTED_CAPABILITY',
  'GRANT_REFUSED',
] as const

/** The codes of the errors a backend can throw. */
export type SeamErrorCode = (typeof seamErrorCodes)[number]

/** The base class of all errors of a backend. Compare `code`: a process may hold two copies of a class. */
export abstract class SeamError extends Error {
  abstract readonly code: SeamErrorCode
}

/**
 * True for an error of this package, also if another copy of the package threw it.
 *
 * @example
 * ```ts
 * import { InMemoryBackend } from '@agentm/conformance'
 * import { isSeamError, Locator } from '@agentm/storage-seam'
 *
 * await new InMemoryBackend().read(new Locator('absent.md')).catch((error: unknown) => {
 *   if (isSeamError(error)) console.log(error.code) // NOT_FOUND
 * })
 * ```
 */
export function isSeamError(error: unknown, code?: SeamErrorCode): error is SeamError {
  if (!(error instanceof Error) || !('code' in error)) return false
  return code === undefined ? (seamErrorCodes as readonly unknown[]).includes(error.code) : error.code === code
}

/** The key is not allowed: it would lead out of the store, or mean different places on different systems. */
export class InvalidLocatorError extends SeamError {
  override readonly name = 'InvalidLocatorError'
  readonly code = 'INVALID_LOCATOR'
  readonly key: string
  constructor(key: string, why: string) {
    super(`${JSON.stringify(key)} cannot be used as a key: ${why}`)
    this.key = key
  }
}

/** A backend was registered wrongly: it has no name, its name is taken, or it is not a plugin. */
export class ProtocolError extends SeamError {
  override readonly name = 'ProtocolError'
  readonly code = 'PROTOCOL'
  readonly protocol: string
  constructor(protocol: string, message: string) {
    super(message)
    this.protocol = protocol
  }
}

/** The roots of two tiers would overwrite each other, or replicate something that must not be replicated. */
export class TierLayoutError extends SeamError {
  override readonly name = 'TierLayoutError'
  readonly code = 'TIER_LAYOUT'
}

/** Nothing is stored at this place. Unreadable and unavailable have their own codes. */
export class NotFoundError extends SeamError {
  override readonly name = 'NotFoundError'
  readonly code = 'NOT_FOUND'
  readonly key: string
  constructor(at: { readonly key: string }, options?: ErrorOptions) {
    super(`nothing is stored at ${place(at)}`, options)
    this.key = at.key
  }
}

/** There is a directory where a text file was expected, or a file where a directory was expected. */
export class NotAFileError extends SeamError {
  override readonly name = 'NotAFileError'
  readonly code = 'NOT_A_FILE'
  readonly key: string
  constructor(at: { readonly key: string }, what: string, options?: ErrorOptions) {
    super(`${place(at)} is ${what}`, options)
    this.key = at.key
  }
}

/** The file is not UTF-8 text. It was not changed, because writing it back as text would destroy it. */
export class CorruptTextError extends SeamError {
  override readonly name = 'CorruptTextError'
  readonly code = 'CORRUPT_TEXT'
  readonly key: string
  constructor(at: { readonly key: string }, options?: ErrorOptions) {
    super(`${place(at)} is not UTF-8 text. It was not changed. Repair it, or move it away.`, options)
    this.key = at.key
  }
}

/** The marker file of the store contains no id: it is truncated, or another program wrote it. */
export class CorruptStoreMarkerError extends SeamError {
  override readonly name = 'CorruptStoreMarkerError'
  readonly code = 'STORE_MARKER_CORRUPT'
  /** The key of the marker, or its path if the key is not known. */
  readonly key: string
  constructor(key: string, options?: ErrorOptions) {
    super(
      `${key} is corrupt: it should be JSON with the "id" of the store. Restore it from a backup, or write {"id": "…"} into it ` +
        'with the store_id of your config. Nothing was read or changed.',
      options,
    )
    this.key = key
  }
}

/** The text contains half a surrogate pair, which UTF-8 cannot express. Storing it would change it silently. */
export class InvalidTextError extends SeamError {
  override readonly name = 'InvalidTextError'
  readonly code = 'INVALID_TEXT'
  constructor(what: string) {
    super(
      `${what} contains half a surrogate pair, which UTF-8 cannot store. Replace it first (String.prototype.toWellFormed).`,
    )
  }
}

/** A symbolic link on the way to the file leads out of the store, or to another place in it. */
export class OutsideStoreError extends SeamError {
  override readonly name = 'OutsideStoreError'
  readonly code = 'OUTSIDE_STORE'
  readonly key: string
  constructor(
    at: { readonly key: string },
    { why = leadsOut, ...options }: ErrorOptions & { readonly why?: string } = {},
  ) {
    super(`${place(at)} ${why}`, options)
    this.key = at.key
  }
}

const leadsOut = "leads out of the store. Remove the link on the way, or name its target in the backend's allow-list."

/** The store is absent, not mounted, or another one. This is never reported as an empty store. */
export class StoreUnavailableError extends SeamError {
  override readonly name = 'StoreUnavailableError'
  readonly code = 'STORE_UNAVAILABLE'
}

/** The device failed: the disk is full or broken, or a permission is absent. Stored files are undamaged, with their old or new content. */
export class DeviceFaultError extends SeamError {
  override readonly name = 'DeviceFaultError'
  readonly code = 'DEVICE_FAULT'
  readonly key: string
  /** The error code of the operating system, such as `ENOSPC`. */
  readonly fault: string
  constructor(at: { readonly key: string }, fault: string, options?: ErrorOptions) {
    super(`${place(at)} was not reached: ${faults[fault] ?? `the system answered ${fault}. Try again`}.`, options)
    this.key = at.key
    this.fault = fault
  }
}

const faults: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full (ENOSPC). Free some space, then try again',
  EDQUOT: 'your share of the disk is used up (EDQUOT). Free some space, then try again',
  EROFS: 'the disk is mounted read-only (EROFS). Mount it for writing, then try again',
  EACCES: 'this user has no permission (EACCES). Correct the permissions of the file and its directories',
  EPERM: 'the system does not permit it (EPERM). Correct the permissions of the file and its directories',
  EMFILE: 'this process has too many files open (EMFILE). Try again, or raise its limit (ulimit -n)',
  ENFILE: 'this machine has too many files open (ENFILE). Try again later',
  EIO: 'the disk reports an error (EIO). Check the disk before you write to it again',
}

/** The sync program has only a placeholder on this device; the content is in the cloud. */
export class OnlineOnlyError extends SeamError {
  override readonly name = 'OnlineOnlyError'
  readonly code = 'ONLINE_ONLY'
  readonly key: string
  constructor(at: { readonly key: string }, options?: ErrorOptions) {
    super(
      `${place(at)} is stored online only. Make it available offline in your sync program, then try again.`,
      options,
    )
    this.key = at.key
  }
}

/** Another process changed the file after it was read. */
export class ConcurrentModificationError extends SeamError {
  override readonly name = 'ConcurrentModificationError'
  readonly code = 'CONCURRENT_MODIFICATION'
  readonly key: string
  readonly expected: string | null
  readonly actual: string | null
  constructor(at: { readonly key: string }, expected: string | null, actual: string | null, options?: ErrorOptions) {
    super(
      `${place(at)} changed since it was read (expected ${short(expected)}, found ${short(actual)}). ` +
        'Read it again, and apply the change again.',
      options,
    )
    this.key = at.key
    this.expected = expected
    this.actual = actual
  }
}

/** The backend does not have the capability that this call needs. */
export class UnsupportedCapabilityError extends SeamError {
  override readonly name = 'UnsupportedCapabilityError'
  readonly code = 'UNSUPPORTED_CAPABILITY'
  readonly capability: string
  constructor(capability: string) {
    super(
      `this needs a backend with the capability ${capability}, which the configured backend does not have. Choose another: agentm config set storage.backend NAME`,
    )
    this.capability = capability
  }
}

/** A personal write has no valid grant: the grant is for another file or text, has expired, or was already used. */
export class GrantRefusedError extends SeamError {
  override readonly name = 'GrantRefusedError'
  readonly code = 'GRANT_REFUSED'
}

function place(at: { readonly key: string }): string {
  return at.key === '' ? 'the root of the store' : JSON.stringify(at.key)
}

function short(hash: string | null): string {
  return hash === null ? 'nothing' : hash.slice(0, 12)
}
