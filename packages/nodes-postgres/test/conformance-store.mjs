// @ts-check
/** What processes of the conformance suite open: built code, the store of the contract. */
import { sampleConcepts } from '@agentm/conformance/logs'
import { openPostgresStore } from '@agentm/nodes-postgres'

/** @param {Omit<import('@agentm/nodes-postgres').PostgresStoreOptions, 'concepts'>} settings */
export async function openConformanceStore(settings) {
  return openPostgresStore({ ...settings, concepts: sampleConcepts })
}
