/**
 * What a backend promises. Every capability is false until the backend declares it. The first four describe how the backend behaves with
 * sync programs and several writers. The others name optional verbs, which throw if they are not declared.
 */
import { UnsupportedCapabilityError } from './errors.ts'

/** All capability names, in the order in which they are shown. */
export const capabilityNames = [
  'concurrentWriters',
  'conflictFiles',
  'encryption',
  'sync',
  'conditionalWrite',
  'removal',
  'personalWrite',
] as const

/** The name of one promise a backend can make. */
export type CapabilityName = (typeof capabilityNames)[number]

/**
 * What a backend promises. Every capability is false until the backend declares it.
 *
 * @example
 * ```ts
 * import { Capabilities } from '@agentm/storage-seam'
 *
 * const capabilities = new Capabilities({ removal: true })
 * console.log(capabilities.removal, capabilities.sync) // true false
 * ```
 */
export class Capabilities implements Readonly<Record<CapabilityName, boolean>> {
  /** Several processes may write at the same time. */
  readonly concurrentWriters: boolean
  /** A sync program may create conflict copies beside the original files. */
  readonly conflictFiles: boolean
  /** The backend encrypts stored data. */
  readonly encryption: boolean
  /** Another program replicates the tree; a database file in it would be corrupted. */
  readonly sync: boolean
  /** `write(at, text, { ifHash })` and `update(at, change)` check their condition. */
  readonly conditionalWrite: boolean
  /** `remove(at, { ifHash })` exists. */
  readonly removal: boolean
  /** `personalWrite(at, text, grant)` exists. */
  readonly personalWrite: boolean

  constructor(declared: Partial<Record<CapabilityName, boolean>> = {}) {
    this.concurrentWriters = declared.concurrentWriters ?? false
    this.conflictFiles = declared.conflictFiles ?? false
    this.encryption = declared.encryption ?? false
    this.sync = declared.sync ?? false
    this.conditionalWrite = declared.conditionalWrite ?? false
    this.removal = declared.removal ?? false
    this.personalWrite = declared.personalWrite ?? false
    Object.freeze(this)
  }
}

/**
 * Throws `UnsupportedCapabilityError`, with the name of the capability, if the backend does not declare it. Call it before anything is
 * changed.
 *
 * @example
 * ```ts
 * import { Capabilities, requireCapability } from '@agentm/storage-seam'
 *
 * try {
 *   requireCapability({ capabilities: new Capabilities() }, 'removal')
 * } catch (error) {
 *   if (error instanceof Error && 'code' in error) console.log(error.code) // UNSUPPORTED_CAPABILITY
 * }
 * ```
 */
export function requireCapability(backend: { readonly capabilities: Capabilities }, name: CapabilityName): void {
  if (!backend.capabilities[name]) throw new UnsupportedCapabilityError(name)
}
