/**
 * What a backend promises. Everything is false until declared, so a backend that says nothing promises nothing. The
 * first four are the sync story; the rest name optional verbs that refuse where they are not declared.
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
  /** Safe under more than one writing process. */
  readonly concurrentWriters: boolean
  /** Copies made by a sync program may turn up beside the originals. */
  readonly conflictFiles: boolean
  /** Encrypted at rest by the backend. */
  readonly encryption: boolean
  /** Another program replicates the tree; a database file in it would be corrupted. */
  readonly sync: boolean
  /** `write(at, text, { ifHash })` and `update(at, change)` keep their condition. */
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
 * Refuses, by name, what a backend does not promise. Call it before anything is changed.
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
