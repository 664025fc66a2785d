// @ts-check
// What the processes of the log contracts open: the built package, with the sample concepts.
import { sampleConcepts } from '@agentm/conformance/logs'
import { openSqliteStore } from '@agentm/nodes-sqlite'

/** @param {{ readonly path: string }} settings */
export function openConformanceStore({ path }) {
  return openSqliteStore({ path, concepts: sampleConcepts })
}
