/**
 * What a backend promises. Everything is false until declared, so a backend that says nothing promises nothing. The
 * first four are the sync story; the rest name optional verbs that refuse where they are not declared.
 */
import { UnsupportedCapabilityError } from './errors.ts'

export const capabilityNames = [
  'concurrentWriters',
  'conflictFiles',
  'encryption',
  'sync',
  'conditionalWrite',
  'removal',
  'personalWrite',
] as const

export type CapabilityName = (typeof capabilityNames)[number]

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

/** Refuses, by name, what a backend does not promise. Call it before anything is changed. */
export function requireCapability(backend: { readonly capabilities: Capabilities }, name: CapabilityName): void {
  if (!backend.capabilities[name]) throw new UnsupportedCapabilityError(name)
}
