/**
 * Whether a store is the one that the config names. An empty directory where a drive should be mounted, and another store in its
 * place, both look like a store, so the id inside is compared.
 */
import { storeMarkerKey, StoreUnavailableError } from '@agentm/storage-seam'

/** @param found the id of the store that is there, if it has one */
/**
 * Refuses when the store that was found is not the one the configuration names.
 *
 * @example
 * ```ts
 * import { refuseForeignStore } from '@agentm/selection'
 *
 * refuseForeignStore('s1', 's1') // passes
 * ```
 */
export function refuseForeignStore(found: string | undefined, storeId: string): void {
  if (found === storeId) return
  throw new StoreUnavailableError(
    `the config names the store ${storeId}, and the one that is there ${found === undefined ? `holds no ${storeMarkerKey}` : `is ${found}`}. ` +
      'Mount the right one, or remove its store_id from the config to use this one.',
  )
}
