/**
 * One promise of a backend, as data: a sentence that could be in a README, what it needs to be tested, and a check that throws if the
 * promise is broken. Runners, reports and planted faults all use this list.
 */
import type { CapabilityName, StorageBackend, TierLayout } from '@agentm/storage-seam'
import type { GrantPersonalWrite } from './run-contract.ts'
import type { Crew } from './processes/crew.ts'

/**
 * One promise a backend keeps, as data: a sentence, what it needs, and a check that throws when the promise is broken.
 */
export interface Contract {
  /** Stable; `--only` and reports use it. */
  readonly id: string
  readonly sentence: string
  readonly needs?: readonly Need[]
  /** Only for backends that do not declare this capability: their verb must be refused. */
  readonly unless?: CapabilityName
  /** Throws if the promise is broken. Returns the reason if there was nothing to prove. */
  check(world: World): Promise<Unproven | undefined>
}

/** What a contract needs to be tested: a declared capability, a derived layer, a directory, or a second process. */
export type Need = CapabilityName | 'derivedMaintenance' | 'directory' | 'processes'

export interface Unproven {
  readonly why: string
}

/** Made for one contract and thrown away after it. */
export interface World {
  /** Fresh and empty. */
  readonly backend: StorageBackend
  /** Where the backend keeps its tiers. */
  readonly layout: TierLayout
  /** Where the backend keeps its files, and a directory it must not reach. Only for contracts that need `directory`. */
  readonly files: { readonly root: string; readonly outside: string }
  /** Processes that share one fresh store. Only for contracts that need `processes`. */
  readonly crew: Crew
  /** Creates a grant that this backend accepts. */
  readonly grant: GrantPersonalWrite
  /** Multiplies rounds and sizes; 1 is the quick run. */
  readonly scale: number
}
